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
import type { Page } from '../../src/cli/routing/help/page.ts';

/** The man page of a command. What many commands share is described once, on the pages that it names. */
export function commandManPage(command: CommandHelp): Page {
  const own = command.flags.filter(({ shared }) => !shared);
  const shared = command.flags.filter((flag) => flag.shared).map(({ name }) => name);
  return {
    name: command.command,
    summary: command.summary,
    sections: [
      text('SYNOPSIS', command.usage),
      ...descriptionSections(command, 'DESCRIPTION'),
      ...argumentSections(command.arguments),
      ...groupedFlags(own).map((flags) =>
        section(flags[0]?.group ? `${flags[0].group} FLAGS` : 'FLAGS', flagRows(flags)),
      ),
      text(
        'SHARED FLAGS',
        `${shared.join(', ')}; payctl-flags(7) describes them, and the variables of some.`,
      ),
      ...(command.request ? [text('REQUEST', requestsText(command))] : []),
      text('EXIT STATUS', `${command.exit_codes.join(', ')}; payctl-exit-codes(7) says what they mean.`),
      ...exampleSections(command),
    ],
  };
}

function text(heading: string, words: string): Page['sections'][number] {
  return { heading, blocks: [{ kind: 'text', text: words }] };
}
