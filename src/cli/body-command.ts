import type { Client } from '../client/client.ts';
import type { DocumentOptions } from '../client/send.ts';
import type { Operation } from '../contract/generated/operations.ts';
import type { Schemas } from '../contract/generated/types.ts';
import { UsageError } from '../errors.ts';
import { BaseCommand } from './base-command.ts';
import type { Display } from './display.ts';
import { NotShownError } from './failure/not-shown-error.ts';
import type { BodyFlagValues } from './flags/body.ts';
import type { ConnectionFlagValues, DisplayFlagValues } from './flags/global.ts';
import type { OutputFlagValues } from './flags/list.ts';
import { type Body, readBody, requireValidBody, withFields } from './read-body.ts';
import { refuseChange } from './read-only.ts';
import { documentPrinter } from './show-document.ts';

/** What a command that sends a body adds to what all of them do. */
export type BodyRequest<T> = {
  readonly flags: BodyFlagValues & OutputFlagValues & ConnectionFlagValues & DisplayFlagValues;
  readonly operation: Operation & { readonly bodySchema: keyof Schemas };
  /** The fields that flags give; they win over those of `given`, which is what --data gives. */
  readonly fields?: (given: Body) => Body | Promise<Body>;
  /** The error of a run that gives neither --data nor a field. */
  readonly nothing: { readonly code: string; readonly message: string; readonly hint: string };
  /** What to tell on stderr before the request is sent. */
  readonly notice?: string | undefined;
  readonly send: (client: Client, body: Body, options: DocumentOptions) => Promise<T>;
};

/** What every command is built on that sends a body. */
export abstract class BodyCommand extends BaseCommand {
  /**
   * Reads the body from --data and the other flags, compares it with the contract, sends it and prints the document that
   * comes back. With --dry-run only the request is printed; a request to production is confirmed first.
   * @throws UsageError the one of `nothing`; `bad_body` and others for a body that cannot be read or breaks the contract;
   * `not_confirmed`; `read_only`; NotShownError when the request was processed and its response cannot be printed
   */
  protected async sendBody<T extends object>(
    request: BodyRequest<T>,
  ): Promise<{ readonly document: T; readonly display: Display }> {
    const { flags, operation, nothing, notice } = request;
    const session = this.openSession(flags);
    if (!flags['dry-run']) refuseChange(session.settings);
    const { display, signal } = session;
    const given = await readBody(flags.data, this.runtime);
    const body = withFields(given, (await request.fields?.(given)) ?? {});
    if (Object.keys(body).length === 0 && flags.data === undefined) {
      throw new UsageError(nothing.code, nothing.message, { hint: nothing.hint });
    }
    await requireValidBody(operation.bodySchema, body);
    const print = await documentPrinter(session, flags, operation);
    if (notice) display.info(notice);
    const document = await request.send(await session.client(), body, { signal });
    await print(document).catch((error: unknown) => {
      throw new NotShownError(error, document);
    });
    return { document, display };
  }
}
