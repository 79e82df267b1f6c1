import { BaseCommand } from '../../cli/base-command.ts';
import { recordFlags, sortFlag } from '../../cli/flags/list.ts';
import { textFlag } from '../../cli/flags/types.ts';
import { showRecords } from '../../cli/show/show-document.ts';
import { importHint } from '../../features/api/find-operation.ts';
import { knownDescription, modelRecord } from '../../features/api/known-description.ts';

export default class EmulatorModel extends BaseCommand {
  static override readonly summary =
    'Show how the emulator interprets the imported description: its resources, and what each operation does with them.';

  static override readonly description =
    'payctl derives this model when it imports a description. To correct it, add x-payctl-action, x-payctl-resource, x-payctl-id, x-payctl-record, x-payctl-body-record or x-payctl-status to an operation of the description, and import it again.';

  static override readonly columns = [
    { header: 'RESOURCE', path: 'resource', minWidth: 16, priority: 9 },
    { header: 'ACTION', path: 'action', priority: 10 },
    { header: 'METHOD', path: 'method', priority: 6 },
    { header: 'PATH', path: 'path', minWidth: 20, goodWidth: 40, priority: 8 },
    { header: 'ID', path: 'record_id', format: 'text', priority: 7 },
    { header: 'RECORD', path: 'response_record', priority: 5 },
    { header: 'BODY', path: 'body_record', priority: 4 },
    { header: 'STATUS', path: 'new_status', priority: 3 },
    { header: 'COMMAND', path: 'command', minWidth: 16, priority: 2 },
    { header: 'OPERATION', path: 'id', format: 'text', priority: 1 },
  ] as const;

  static override readonly flags = {
    resource: textFlag({
      summary: 'Only operations on this resource.',
      helpValue: 'PATH',
    }),
    ...sortFlag({ isWhole: true }),
    ...recordFlags(),
  };

  static override readonly examples = [
    { description: 'Show the model of the imported description:', command: 'payctl emulator model' },
    {
      description: 'List the operations whose action payctl could not derive:',
      command: "payctl emulator model --jq '.items[] | select(.action == null).id'",
    },
  ];

  async run(): Promise<void> {
    const { flags } = await this.parse(EmulatorModel);
    const display = this.openDisplay(flags);
    const { model, isOwn } = await knownDescription(this.describedBy(flags));
    const all = model().map(modelRecord);
    const asked = flags.resource?.replaceAll(/\{[^{}]*\}/g, '{}');
    const records = asked === undefined ? all : all.filter(({ resource }) => resource === asked);
    await showRecords(display, records, { flags, columns: EmulatorModel.columns });
    if (isOwn) display.info(`No description is imported. ${importHint(this.configuration.profiles)}`);
    else if (records.length === 0) display.info(`No operation uses the resource ${asked}.`);
  }
}
