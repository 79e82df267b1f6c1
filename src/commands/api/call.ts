import { BaseCommand } from '../../cli/base-command.ts';
import { reportFailure } from '../../cli/failure/report.ts';
import { argument } from '../../cli/flags/arguments.ts';
import { connectionFlags } from '../../cli/flags/global.ts';
import { outputFlags } from '../../cli/flags/list.ts';
import type { Runtime } from '../../cli/runtime.ts';
import { UsageError } from '../../errors.ts';
import { openCalled } from '../../features/api/called-operation.ts';

export default class ApiCall extends BaseCommand {
  static override readonly summary = 'Call an operation of the imported description by its name.';

  static override readonly description =
    'Name the operation by its operation ID, or as METHOD PATH. Its path parameters are further arguments and its query parameters are flags: payctl api call OPERATION --help lists them.';

  static override readonly args = {
    operation: argument('Operation ID, or METHOD PATH.'),
  };

  static override readonly flags = { ...outputFlags(), ...connectionFlags() };

  static override readonly strict = false;

  static override readonly examples = [
    {
      description: "Call one of payctl's own operations by its ID:",
      command: 'payctl api call listRoles --profile emulator',
    },
  ];

  /** The flags and arguments are those of the operation, so its command takes over. */
  static override async execute(argv: readonly string[], runtime: Runtime): Promise<number> {
    try {
      const command = await openCalled(argv, runtime);
      if (command) return await command();
    } catch (error) {
      return await reportFailure(error, { argv, runtime });
    }
    return await BaseCommand.execute.call(ApiCall as never, argv, runtime);
  }

  async run(): Promise<void> {
    await this.parse(ApiCall);
    throw new UsageError('missing_argument', 'Missing argument OPERATION', {
      hint: 'List the operations: payctl api list',
    });
  }
}
