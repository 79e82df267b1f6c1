import type { Call } from '../client/call.ts';
import type { Client } from '../client/client.ts';
import type { DocumentOptions } from '../client/send.ts';
import type { BodySchemaName } from '../contract/generated/body-schemas.ts';
import type { Operation } from '../contract/generated/operations.ts';
import { UsageError } from '../errors.ts';
import { isObject } from '../json/is-object.ts';
import { BaseCommand } from './base-command.ts';
import type { BodyFlagValues } from './flags/body.ts';
import type { ConnectionFlagValues, DisplayFlagValues } from './flags/global.ts';
import type { OutputFlagValues } from './flags/list.ts';
import type { Converted } from './money/convert.ts';
import { type Body, readBody, requireValidBody, withFields } from './read-body.ts';
import { maskData } from './secrets/mask.ts';
import type { ReadsFirst } from './session/connect.ts';
import { refuseChange } from './session/read-only.ts';
import type { Display } from './show/display.ts';
import { documentPrinter } from './show/show-document.ts';

/** What a command that sends a body adds to what all of them do. */
export type BodyRequest<T> = {
  readonly flags: BodyFlagValues & OutputFlagValues & ConnectionFlagValues & DisplayFlagValues;
  readonly operation: Operation & { readonly bodySchema: BodySchemaName };
  /** The fields that flags give; they win over those of `given`, which is what --data gives. */
  readonly fields?: (given: Body, display: Display, convert: Convert) => Body | Promise<Body>;
  /** The values of the path, by which the record is found that amounts are compared with. */
  readonly path?: Call['path'];
  /** The error of a run that gives neither --data nor a field. */
  readonly nothing: { readonly code: string; readonly message: string; readonly hint: string };
  /** What the request is about to overwrite, a sentence for each field; a warning before it is sent. */
  readonly replaced?: readonly string[];
  /**
   * The request is made from what the service holds, which is read first: the body may be empty, and --dry-run reads, too. What
   * this runs right before each attempt to send the request may end it.
   */
  readonly readsFirst?: ReadsFirst['beforeWrite'] | undefined;
  readonly send: (parts: SendParts) => Promise<T>;
};

/** Gives a part of the body with its amounts in minor units. @throws UsageError `bad_body` */
export type Convert = (body: Body) => Promise<Converted>;

/** What a request with a body is sent with. */
export type SendParts = {
  readonly client: Client;
  readonly body: Body;
  readonly options: DocumentOptions;
  readonly display: Display;
  /** The request is only shown; sending it ends the run. */
  readonly isDryRun: boolean;
};

/** What every command is built on that sends a body. */
export abstract class BodyCommand extends BaseCommand {
  protected override async example(): Promise<unknown> {
    const { contractExample } = await import('./show/show-example.ts');
    const { operation } = this.constructor as typeof BaseCommand;
    return operation && (await contractExample(operation));
  }

  /**
   * Reads the body from --data and the other flags, compares it with the contract, sends it and prints the document that
   * comes back. With --dry-run only the request is printed; a request to production is confirmed first.
   * @throws UsageError the one of `nothing`; `bad_body` and others for a body that cannot be read or breaks the contract;
   * `not_confirmed`; `read_only`; NotShownError when the request was processed and its response cannot be printed
   */
  protected async sendBody<T extends object>(
    request: BodyRequest<T>,
  ): Promise<{ readonly document: T; readonly display: Display }> {
    const { flags, operation, nothing, replaced = [], readsFirst } = request;
    const isDryRun = flags['dry-run'];
    const mask = (text: string) => maskData(text, { revealSecrets: flags['reveal-secrets'] }).text;
    const session = this.openSession(flags, {
      readsFirst: readsFirst && { beforeWrite: readsFirst, mask },
    });
    if (!isDryRun) refuseChange(session.settings);
    const { display, signal } = session;
    const given = await readBody(flags.data, this.runtime);
    const convert = async (one: Body) => {
      const { bodySchemas } = await import('../contract/generated/body-schemas.ts');
      const { inMinorUnits } = await import('./money/convert.ts');
      const record = async () => {
        const { fillPath } = await import('../client/send.ts');
        return await session.record({
          path: fillPath(operation.path, request.path),
          call: { operation, body: one },
        });
      };
      return inMinorUnits(one, { schema: bodySchemas[operation.bodySchema], record, say: display.info });
    };
    const written = withFields(given, (await request.fields?.(given, display, convert)) ?? {});
    const { body: converted, requireCurrency } = await convert(written);
    const body = isObject(converted) ? converted : written;
    if (Object.keys(body).length === 0 && flags.data === undefined && !readsFirst) {
      throw new UsageError(nothing.code, nothing.message, { hint: nothing.hint });
    }
    await requireValidBody(operation.bodySchema, body, display);
    await requireCurrency();
    const print = await documentPrinter(session, flags, operation);
    for (const sentence of replaced) display.warn('field_replaced', sentence);
    const client = await session.client();
    const document = await request.send({ client, body, options: { signal }, display, isDryRun });
    await print(document);
    return { document, display };
  }
}
