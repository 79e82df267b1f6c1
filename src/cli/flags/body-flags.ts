import { boolean, string } from '@oclif/core/flags';

/** The flags of a command that sends a body. */
export function bodyFlags() {
  return {
    data: string({
      summary: 'The body as JSON: inline, @FILE, or - for standard input. Other flags win over it.',
      helpGroup: 'BODY',
      helpValue: 'JSON|@FILE|-',
    }),
    ...writeFlags(),
  };
}

/** What `writeFlags` parse to. */
export type WriteFlagValues = {
  readonly 'dry-run'?: boolean | undefined;
  readonly yes?: boolean | undefined;
};

/** The flags of every command that changes something. */
export function writeFlags() {
  return {
    'dry-run': boolean({ summary: 'Print the request and send nothing.', helpGroup: 'BODY' }),
    yes: boolean({
      char: 'y',
      summary: 'Change things in a profile marked production without being asked.',
      helpGroup: 'BODY',
    }),
  };
}
