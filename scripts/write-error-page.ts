/**
 * Writes docs/errors.md from what payctl knows about error codes. With --check it compares instead, and fails when the page is
 * stale.
 */
import { ERROR_KINDS, type ErrorKind } from '../src/cli/failure/error-codes.ts';
import { exitCodeOfStatus } from '../src/cli/failure/exit-code.ts';
import { CAUSES_OF_MESSAGES } from '../src/cli/failure/typed-causes.ts';
import { writeOrCheck } from './written-files.ts';

const HEAD = `<!-- Written by scripts/write-error-page.ts from src/cli/failure/error-codes.ts; do not edit. -->

# Errors of the service

payctl prints the code and details of an error, its likely causes and the next command to run. \`payctl api-logs get ID\`
shows the same for a request that another program sent. [The exit code](commands.md#payctl-help-exit-codes) depends only on
the status.
`;

/** The page as it should be. */
export function errorPage(): string {
  const rows = ERROR_KINDS.map(
    (kind) =>
      `| [${kind.status}](#${anchorOf(kind)}) | ${kind.code ? `\`${kind.code}\`` : ''} | ${kind.meaning} | ${exitCodeOfStatus(kind.status)} |\n`,
  );
  const table = `| Status | Code | Meaning | Exit code |\n|---|---|---|---|\n${rows.join('')}`;
  return [HEAD, table, ...ERROR_KINDS.map(sectionOf)].join('\n');
}

function sectionOf(kind: ErrorKind): string {
  const { status, meaning, causes, remedy, commands } = kind;
  const indicated = [
    ...CAUSES_OF_MESSAGES.filter(({ statuses }) => statuses.includes(status)),
    ...(kind.named ?? []),
  ];
  const next = [...commands, `api-logs list --status ${status}`];
  return [
    `## ${titleOf(kind)}\n`,
    `${meaning}\n`,
    `Likely causes:\n`,
    `${causes.map((cause, index) => `- ${cause}${index === 0 && remedy ? `; ${remedy}` : ''}\n`).join('')}`,
    ...(indicated.length === 0
      ? []
      : [
          'What its message and its details name:\n',
          indicated
            .map(
              ({ cause, remedy: known }) =>
                `- ${cause}${known === undefined ? '' : `. What to do: ${known}`}\n`,
            )
            .join(''),
        ]),
    'Next:\n',
    `\`\`\`sh\n${[...new Set(next)].map((words) => `payctl ${words}\n`).join('')}\`\`\`\n`,
  ].join('\n');
}

function titleOf({ status, code }: ErrorKind): string {
  return code === undefined ? String(status) : `${status} ${code}`;
}

function anchorOf(kind: ErrorKind): string {
  return titleOf(kind).replaceAll(' ', '-');
}

if (import.meta.main) writeOrCheck([['docs/errors.md', errorPage()]]);
