import type { EmulatorDatabase } from './database.ts';
import { type Listing, readPage } from './keyset.ts';
import type { Answer } from './respond.ts';

const opening = '{"items":[';
const closing = ']}';
const everything = { position: undefined, limit: Number.MAX_SAFE_INTEGER };

/** Answers with a whole listing at once, newest first, in an object that has `items` and no cursor fields. */
export function answerList(database: EmulatorDatabase, listing: Listing): Answer {
  const name = `list ${JSON.stringify(listing)}`;
  return database.recall(name, () => listAnswer(readPage(database, listing, everything).documents));
}

/** Wraps documents in UTF-8, commas between them, into the answer that holds them. */
export function listAnswer(documents: Uint8Array): Answer {
  return { status: 200, body: Buffer.concat([Buffer.from(opening), documents, Buffer.from(closing)]) };
}
