import { unquote } from './scan.ts';

/**
 * Which values of a document are marked, by the names of members. `true` marks a value and everything in it, `false` excepts
 * it; `*` stands for every member that is not named. The elements of an array are marked as the array is.
 */
export type MemberMarks = { readonly [name: string]: MemberMarks | boolean };

/** How the names of members decide what is masked. */
export type NameRules = {
  /**
   * Marked values: every string, number and boolean in them is masked, and the shape stays. Null and the empty string
   * tell nothing, and stay too; so does what the service has masked already, with asterisks or bullets.
   */
  readonly marks?: MemberMarks | undefined;
  /** Whether the member of this name is marked wherever it is, unless `marks` names it. */
  readonly marksName?: ((name: string) => boolean) | undefined;
  /** Whether the value of a member of this name is masked whole, at any depth and whatever its type. Null stays. */
  readonly hides?: ((name: string) => boolean) | undefined;
};

/** The treatment of a member by the rules, and the members that were next to it and in it the last time. */
export type KnownMember = {
  /** From the opening quote of the name to the colon, as it was sent. */
  readonly source: string;
  readonly name: string;
  readonly mark: MemberMarks | boolean | undefined;
  /** Whether a string, number or boolean that is its value, or an element of its value, is masked. */
  readonly masksScalars: boolean;
  readonly isHidden: boolean;
  /** The member that came after it. */
  next: KnownMember | undefined;
  /** The member that an object in its value began with. */
  first: KnownMember | undefined;
};

/** A name as it was sent, with its quotes: with and without the colon and the white space before it. */
type WrittenName = { readonly source: string; readonly name: string };

/** Enough for every description. A document with more names has no order that can be learned. */
const MOST = 2000;

/**
 * The members of the documents of one run: what the rules say about each is decided once. Records of a list have the same members
 * in the same order, so a reader that compares the text with what came there the last time seldom has to look anything up.
 */
export class KnownMembers {
  /** The root: the whole document. */
  readonly root: KnownMember;
  readonly #rules: NameRules;
  readonly #byMark = new Map<KnownMember['mark'], Map<string, KnownMember>>();
  #size = 0;

  constructor(rules: NameRules) {
    this.#rules = rules;
    this.root = memberOf({ source: '', name: '', mark: rules.marks, isHidden: false });
  }

  /** The member of an object that belongs to `owner`. It is remembered. */
  find(owner: KnownMember, { source, name }: WrittenName): KnownMember {
    const known = this.#byMark.get(owner.mark)?.get(source);
    if (known) return known;
    const member = this.make(owner, { source: copyOf(source), name: copyOf(name) });
    if (this.#size < MOST) this.#keep(owner.mark, member);
    return member;
  }

  /** The same, but nothing is remembered. */
  make(owner: KnownMember, { source, name: quoted }: WrittenName): KnownMember {
    const name = unquote(quoted);
    const byName = this.#rules.marksName?.(name) || undefined;
    const isHidden = this.#rules.hides?.(name) === true;
    return memberOf({ source, name, mark: markOf(owner.mark, name) ?? byName, isHidden });
  }

  #keep(mark: KnownMember['mark'], member: KnownMember): void {
    const members = this.#byMark.get(mark) ?? new Map();
    this.#byMark.set(mark, members.set(member.source, member));
    this.#size += 1;
  }
}

function memberOf(said: Pick<KnownMember, 'source' | 'name' | 'mark' | 'isHidden'>): KnownMember {
  return { ...said, masksScalars: markOf(said.mark, '') === true, next: undefined, first: undefined };
}

/** A string of its own: a slice would keep the whole page in memory. */
function copyOf(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

/** The mark of a member; an object that is marked as a whole marks its members. */
function markOf(mark: KnownMember['mark'], name: string): KnownMember['mark'] {
  if (mark === undefined || typeof mark === 'boolean') return mark;
  return Object.hasOwn(mark, name) ? mark[name] : mark['*'];
}
