import { BaseCommand } from '../../cli/base-command.ts';
import { argument } from '../../cli/flags/arguments.ts';
import { recordFlags } from '../../cli/flags/list.ts';
import { recordPrinter } from '../../cli/show/show-document.ts';
import type { NotRunOperation } from '../../descriptions/imported-operation.ts';
import { type FoundOperation, findOperation } from '../../features/api/find-operation.ts';
import {
  forPerson,
  type KnownDescription,
  knownDescription,
  ownKnown,
  withScopeWords,
} from '../../features/api/known-description.ts';
import {
  notRunDetails,
  notRunText,
  operationDetails,
  operationText,
  type ShownOperation,
} from '../../features/api/operation-text.ts';

const WIDEST = 110;
const WIDTH_IN_PIPE = 80;

export default class ApiShow extends BaseCommand {
  static override readonly summary = 'Show an operation: its parameters, requirements and response.';

  static override readonly strict = false;

  static override readonly args = {
    operation: argument('Operation ID, command, or METHOD PATH.'),
  };

  static override readonly flags = { ...recordFlags() };

  static override readonly examples = [
    { description: 'Show the operation of a command:', command: 'payctl api show buyers list' },
    { description: 'Show the operation of a request:', command: 'payctl api show GET /buyers' },
    { description: 'Show an operation by its ID:', command: 'payctl api show listBuyers' },
    {
      description: 'Print the schema of a body:',
      command: 'payctl api show createShippingDetail --jq .body.schema',
    },
  ];

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(ApiShow);
    const display = this.openDisplay(flags);
    const known = await knownDescription(this.describedBy(flags));
    const description = known.isOwn ? undefined : known.index;
    const found = findOperation(description, argv as string[], {
      whole: true,
      profiles: this.configuration.profiles,
    });
    const operation = await shownOperation(found, known);
    const isText = display.format.aligned !== undefined && !flags.columns && flags.jq === undefined;
    if (!isText) {
      const details = 'reason' in operation ? notRunDetails(operation) : await operationDetails(operation);
      const shown = forPerson(display, flags) ? withScopeWords(details) : details;
      await (await recordPrinter(display, flags))(shown);
      return;
    }
    const { isTerminal } = display.stdoutTerminal;
    const width = isTerminal ? Math.min(WIDEST, display.stdout.columns ?? WIDTH_IN_PIPE) : WIDTH_IN_PIPE;
    display.page();
    const text = 'reason' in operation ? notRunText(operation, width) : await operationText(operation, width);
    await display.stdout.write(text);
    await display.stdout.end();
  }
}

/** The operation with its details. payctl reads its own contract like an import, with the schemas of the responses. */
async function shownOperation(
  found: FoundOperation,
  known: KnownDescription,
): Promise<ShownOperation | NotRunOperation> {
  if (found.kind === 'not-run') return found.operation;
  if (found.kind === 'imported') return known.operation(found.operation);
  const own = known.isOwn ? known : await ownKnown();
  const indexed = own.index.operations.find(({ id }) => id === found.operation.id);
  return { ...(indexed ? own.operation(indexed) : found.operation), isOwn: true };
}
