import {
  argumentSections,
  descriptionSections,
  exampleSections,
  flagRows,
  groupedFlags,
  requestsText,
  section,
} from '../../src/cli/routing/help/command-page.ts';
import type { CommandHelp } from '../../src/cli/routing/help/describe-command.ts';
import type { Page, Row } from '../../src/cli/routing/help/page.ts';
import { EXIT_CODES, variables } from '../../src/cli/routing/help/reference.ts';

/** The man page of a command, which is complete. */
export function commandManPage(command: CommandHelp): Page {
  const own = command.flags.filter(({ shared }) => !shared);
  const shared = command.flags.filter((flag) => flag.shared);
  const named = new Set(command.flags.map(({ environment }) => environment));
  const needsCredentials = command.request !== null;
  const read = variables().filter(
    ([name]) => named.has(name) || (needsCredentials && /TOKEN|PRIVATE_KEY/.test(name)),
  );
  const codes = EXIT_CODES.filter(([code]) => command.exit_codes.includes(code));
  return {
    name: command.command,
    summary: command.summary,
    sections: [
      { heading: 'SYNOPSIS', blocks: [{ kind: 'text', text: command.usage }] },
      ...descriptionSections(command, 'DESCRIPTION'),
      ...argumentSections(command.arguments),
      ...groupedFlags(own).map((flags) =>
        section(flags[0]?.group ? `${flags[0].group} FLAGS` : 'FLAGS', flagRows(flags)),
      ),
      section('SHARED FLAGS', flagRows(shared)),
      ...(command.request
        ? [{ heading: 'REQUEST', blocks: [{ kind: 'text', text: requestsText(command) } as const] }]
        : []),
      section('ENVIRONMENT', read),
      section(
        'EXIT STATUS',
        codes.map(([code, meaning]): Row => [String(code), meaning]),
      ),
      ...exampleSections(command),
    ],
  };
}
