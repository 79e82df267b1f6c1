import { BodyCommand } from '../../../cli/body-command.ts';
import { EXIT } from '../../../cli/failure/exit-code.ts';
import { argument } from '../../../cli/flags/arguments.ts';
import { bodyFlags } from '../../../cli/flags/body.ts';
import { connectionFlags } from '../../../cli/flags/global.ts';
import { outputFlags } from '../../../cli/flags/list.ts';
import { isFailure } from '../../../cli/money/reported-failure.ts';
import { operations } from '../../../contract/generated/operations.ts';
import type { PaymentServiceSession } from '../../../contract/generated/types.ts';
import { inShell } from '../../../text/shell.ts';

export default class PaymentServiceSessionsCreate extends BodyCommand {
  static override readonly operation = operations.createPaymentServiceSession;

  static override readonly summary = 'Create a session with a payment service that supports sessions.';

  static override readonly description =
    `Passes the body to the payment service unchanged. If the payment service reports a failure, payctl prints the response
and exits with code 8.`;

  static override readonly args = {
    id: argument('ID of the payment service definition.'),
  };

  static override readonly flags = { ...bodyFlags(), ...outputFlags(), ...connectionFlags() };

  static override readonly examples = [
    {
      description: 'Send a payload:',
      command: `payctl payment-service-definitions sessions create acme-bank-redirect --data '{"locale":"en-GB"}' --profile emulator`,
    },
  ];

  async run(): Promise<number> {
    const { args, flags } = await this.parse(PaymentServiceSessionsCreate);
    const { document, display } = await this.sendBody({
      flags,
      operation: operations.createPaymentServiceSession,
      nothing: {
        code: 'no_body',
        message: 'The payload for the payment service is missing',
        hint: inShell("Add --data; --data '{}' sends an empty object."),
      },
      send: ({ client, body, options }) =>
        client.paymentServiceDefinitions.sessions.create(args.id, body, options),
    });
    if (!reportsFailure(document)) return EXIT.done;
    const { code, status, status_code: statusCode } = document;
    const reason = code ?? status ?? statusCode;
    display.warn('payment_service_failed', `The payment service reported a failure: ${reason}`);
    return EXIT.serverError;
  }
}

/**
 * Whether the payment service itself failed, although the service answered 200: an error code, a status of 400 or
 * above, or a status word that says so (specification: Payment service session result).
 */
export function reportsFailure({ status, code, status_code: statusCode }: PaymentServiceSession): boolean {
  if (code !== undefined && code !== null && code !== '') return true;
  return (typeof statusCode === 'number' && statusCode >= 400) || isFailure(status);
}
