import { KnownMembers, type NameRules } from './known-members.ts';
import { type Learned, type Masked, type MaskedPage, MaskedReading } from './masked-reading.ts';

export type { MemberMarks } from './known-members.ts';
export type { Masked, MaskedPage } from './masked-reading.ts';

/** A page taken apart, and what of it is put together when asked for. */
export type PageParts = Omit<MaskedPage, 'marked'>;

/** The rules of masking, and the mask. */
export type MaskRules = NameRules & {
  /** The mask: the text of a JSON string, without its quotes. */
  readonly mask: string;
};

/** Masks the documents of one run by the same rules, and learns their members. */
export class JsonMasker {
  readonly #learned: Learned;

  constructor(rules: MaskRules) {
    this.#learned = { known: new KnownMembers(rules), replacement: `"${rules.mask}"` };
  }

  /**
   * Masks values in JSON text; every other character stays as it is. Takes time in proportion to the text, and does not recurse.
   * In text that JSON.parse refuses it masks what it finds as far as the text can be read.
   */
  mask(text: string): Masked {
    return new MaskedReading(text, this.#learned).masked();
  }

  /**
   * Checks, masks and takes apart a page in one pass. Undefined for what is not a page: text that JSON.parse refuses, and documents
   * other than an array, or an object with one array of the name `key`.
   */
  page(text: string, key = 'items'): MaskedPage | undefined {
    return new MaskedReading(text, this.#learned).page(key);
  }
}

/** Masks the values of one text as JsonMasker does. */
export function maskJson(text: string, rules: MaskRules): Masked {
  return new JsonMasker(rules).mask(text);
}
