import { unquote } from './scan.ts';

/**
 * Which values of a document are marked, by the names of members. `true` marks a value and everything in it, `false` excepts
 * it; `*` stands for every member that is not named. The elements of an array are marked as the array is.
 */
export type MemberMarks = { readonly [name: string]: MemberMarks | boolean };

/** Gives what is shown of a text. */
export type Rewrite = (text: string) => string;

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
  /** Members that are masked whole by their place, as those that `hides` names. */
  readonly hidden?: MemberMarks | undefined;
  /** Whether a text is masked that begins here in the document, whatever its member. Names of what a next page is asked for by are exempt. */
  readonly hidesText?: ((document: string, at: number) => boolean) | undefined;
  /** What is done to the texts of members by their names; the first one counts. */
  readonly rewrites?: readonly (readonly [name: RegExp, rewrite: Rewrite])[] | undefined;
  /** Names of members of which a page gives the values by themselves. */
  readonly noted?: readonly string[] | undefined;
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
  readonly hidden: MemberMarks | boolean | undefined;
  /** Whether texts in it are masked by what they begin with. */
  readonly hidesTexts: boolean;
  readonly rewrite: Rewrite | undefined;
  /** Its place among the names of `noted`; -1 where it is none of them. */
  readonly noted: number;
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
  /** By both marks of the owner, and by their names: members in the same place are the same. */
  readonly #byMark = new Map<Mark, Map<Mark, Map<string, KnownMember>>>();
  #size = 0;

  constructor(rules: NameRules) {
    this.#rules = rules;
    const { marks: mark, hidden } = rules;
    this.root = this.#member({ source: '', name: '', mark, hidden, isHidden: false });
  }

  /** The member of an object that belongs to `owner`. It is remembered. */
  find(owner: KnownMember, { source, name }: WrittenName): KnownMember {
    const known = this.#byMark.get(owner.mark)?.get(owner.hidden)?.get(source);
    if (known) return known;
    const member = this.make(owner, { source: copyOf(source), name: copyOf(name) });
    if (this.#size < MOST) this.#keep(owner, member);
    return member;
  }

  /** The same, but nothing is remembered. */
  make(owner: KnownMember, { source, name: quoted }: WrittenName): KnownMember {
    const name = unquote(quoted);
    const byName = this.#rules.marksName?.(name) || undefined;
    const hidden = markOf(owner.hidden, name);
    const isHidden = hidden === true || this.#rules.hides?.(name) === true;
    return this.#member({ source, name, mark: markOf(owner.mark, name) ?? byName, hidden, isHidden });
  }

  #keep({ mark, hidden }: KnownMember, member: KnownMember): void {
    const byHidden = this.#byMark.get(mark) ?? new Map<Mark, Map<string, KnownMember>>();
    const members = byHidden.get(hidden) ?? new Map<string, KnownMember>();
    this.#byMark.set(mark, byHidden.set(hidden, members.set(member.source, member)));
    this.#size += 1;
  }

  #member(said: Pick<KnownMember, 'source' | 'name' | 'mark' | 'isHidden' | 'hidden'>): KnownMember {
    const masksScalars = markOf(said.mark, '') === true;
    const hidesTexts = this.#rules.hidesText !== undefined && !NEXT_PAGE.test(said.name);
    const noted = this.#rules.noted?.indexOf(said.name) ?? -1;
    const rewrite = this.#rules.rewrites?.find(([name]) => name.test(said.name))?.[1];
    return { ...said, masksScalars, hidesTexts, rewrite, noted, next: undefined, first: undefined };
  }
}

type Mark = MemberMarks | boolean | undefined;

/** A cursor may be a signed token, and is useless if it is masked. */
const NEXT_PAGE = /cursor|page/i;

/** A string of its own: a slice would keep the whole page in memory. */
function copyOf(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

/** The mark of a member; an object that is marked as a whole marks its members. */
function markOf(mark: KnownMember['mark'], name: string): KnownMember['mark'] {
  if (mark === undefined || typeof mark === 'boolean') return mark;
  return Object.hasOwn(mark, name) ? mark[name] : mark['*'];
}
