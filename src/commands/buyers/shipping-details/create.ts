import { BodyCommand } from '../../../cli/body-command.ts';
import { argument } from '../../../cli/flags/arguments.ts';
import { addressFlags, bodyFlags, readAddress } from '../../../cli/flags/body.ts';
import { connectionFlags } from '../../../cli/flags/global.ts';
import { outputFlags } from '../../../cli/flags/list.ts';
import { inGroup, textFlag } from '../../../cli/flags/types.ts';
import { requireWholeId } from '../../../cli/flags/whole-id.ts';
import { operations } from '../../../contract/generated/operations.ts';
import { inShell } from '../../../text/shell.ts';

export default class ShippingDetailsCreate extends BodyCommand {
  static override readonly operation = operations.createShippingDetail;

  static override readonly summary = 'Add a shipping detail to a buyer.';

  static override readonly args = {
    'buyer-id': argument('ID of the buyer.'),
  };

  static override readonly flags = {
    ...inGroup('BODY', {
      'first-name': textFlag({ summary: 'First name, at most 255 characters.', helpValue: 'TEXT' }),
      'last-name': textFlag({ summary: 'Last name, at most 255 characters.', helpValue: 'TEXT' }),
      'email-address': textFlag({ summary: 'Email address.', helpValue: 'TEXT' }),
      'phone-number': textFlag({ summary: 'Phone number, such as +441134960000.', helpValue: 'E.164' }),
    }),
    ...addressFlags(),
    ...bodyFlags(),
    ...outputFlags(operations.createShippingDetail),
    ...connectionFlags(),
  };

  static override readonly examples = [
    {
      description: 'Show what would be sent:',
      command:
        'payctl buyers shipping-details create ef28fde9-5d24-429e-af7b-494ed25fc77c --first-name Ada --city Leeds --country GB --dry-run --profile emulator',
    },
    {
      description: 'Read the body from a file, and override one field:',
      command:
        'payctl buyers shipping-details create ef28fde9-5d24-429e-af7b-494ed25fc77c --data @shipping.json --first-name Ada --profile emulator',
    },
  ];

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ShippingDetailsCreate);
    requireWholeId('BUYER_ID', args['buyer-id']);
    await this.sendBody({
      flags,
      operation: operations.createShippingDetail,
      fields: (given) => ({
        first_name: flags['first-name'],
        last_name: flags['last-name'],
        email_address: flags['email-address'],
        phone_number: flags['phone-number'],
        address: readAddress(flags, given.address),
      }),
      nothing: {
        code: 'nothing_to_create',
        message: 'The shipping detail is empty',
        hint: inShell(
          "Add --first-name, --line1 or another field, or --data; --data '{}' sends an empty object.",
        ),
      },
      send: ({ client, body, options }) =>
        client.buyers.shippingDetails.create(args['buyer-id'], body, options),
    });
  }
}
