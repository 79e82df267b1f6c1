import { string } from '@oclif/core/args';
import { BaseCommand } from '../../../cli/base-command.ts';
import { EXIT } from '../../../cli/failure/exit-code.ts';
import { bodyFlags } from '../../../cli/flags/body.ts';
import { connectionFlags } from '../../../cli/flags/global.ts';
import { outputFlags } from '../../../cli/flags/list.ts';
import { readBody } from '../../../cli/read-body.ts';
import { showDocument } from '../../../cli/show-document.ts';
import type { PaymentServiceSession } from '../../../contract/generated/types.ts';
import { UsageError } from '../../../errors.ts';

export default class PaymentServiceSessionsCreate extends BaseCommand {
  static override readonly summary = 'Create a session with a payment service that supports sessions.';

  static override readonly description =
    `The body is passed on to the payment service as it is. A failure that the payment service reports ends with exit
code 8, with its answer shown.`;

  static override readonly args = {
    id: string({ required: true, description: 'ID of the payment service definition.', ignoreStdin: true }),
  };

  static override readonly flags = { ...bodyFlags(), ...outputFlags(), ...connectionFlags() };

  static override readonly examples = [
    {
      description: 'Pass a payload on:',
      command: `payctl payment-service-definitions sessions create acme-bank-redirect --data '{"locale":"en-GB"}' --profile emulator`,
    },
  ];

  async run(): Promise<number> {
    const { args, flags } = await this.parse(PaymentServiceSessionsCreate);
    const session = this.openSession(flags);
    if (flags.data === undefined) {
      throw new UsageError('no_body', 'The payload for the payment service is missing', {
        hint: "Give it with --data; --data '{}' sends the empty object.",
      });
    }
    const body = await readBody(flags.data, this.runtime);
    const client = await session.client();
    const { signal } = session;
    const result = await client.paymentServiceDefinitions.sessions.create(args.id, body, { signal });
    await showDocument(session, result, flags);
    if (!reportsFailure(result)) return EXIT.done;
    session.display.info(
      `The payment service reports a failure: ${result.code ?? result.status ?? result.status_code}`,
    );
    return EXIT.serverError;
  }
}

const FAILED = new Set(['failed', 'failure', 'error', 'declined', 'rejected']);

/**
 * Whether the payment service itself failed, although the service answered 200: an error code, a status of 400 or
 * above, or a status word that says so (specification: Payment service session result).
 */
export function reportsFailure({ status, code, status_code: statusCode }: PaymentServiceSession): boolean {
  if (code !== undefined && code !== null && code !== '') return true;
  return (typeof statusCode === 'number' && statusCode >= 400) || FAILED.has(String(status).toLowerCase());
}
