import { isObject, memberAt } from '../json/is-object.ts';
import { pointerTo, segmentsOf } from '../json/pointer.ts';
import { decodeComponent } from '../text/decode.ts';
import { quote } from '../text/format.ts';

/** The location of a value in a document: its steps, from the last to the first. */
export type DocumentLocation = { readonly above: DocumentLocation | undefined; readonly name: string };

/** A location below another one, or below the top of the document. */
export function locationBelow(
  above: DocumentLocation | undefined,
  ...names: readonly string[]
): DocumentLocation {
  let location = above;
  for (const name of names) location = { above: location, name };
  if (location === undefined) throw new TypeError('a location has a name');
  return location;
}

/** The JSON pointer of a location. */
export function pointerOf(location: DocumentLocation | undefined): string {
  const names: string[] = [];
  for (let at = location; at !== undefined; at = at.above) names.push(at.name);
  return pointerTo(names.reverse());
}

/** A value of the document, found directly or by following references. */
export type Found = { readonly value: unknown; readonly location: DocumentLocation | undefined };

/** What an operation needs: its name at the start of a sentence, and where it is. */
export type Needed = { readonly name: string; readonly location: DocumentLocation };

/** Why a reference cannot be followed. */
export type ReferenceProblem = {
  readonly code: 'reference_outside' | 'reference_missing' | 'reference_loop';
  readonly message: string;
};

/** Thrown where payctl cannot run an operation: why, and what in the document is the reason. */
export class NotRunnable extends Error {
  readonly location: DocumentLocation;
  readonly code: string;

  constructor(location: DocumentLocation, code: string, message: string) {
    super(message);
    this.location = location;
    this.code = code;
  }
}

/** Follows references within one document, in time that does not grow with the length of chains that were followed before. */
export class References {
  readonly #document: unknown;
  readonly #known = new Map<string, Found | ReferenceProblem>();

  constructor(document: unknown) {
    this.#document = document;
  }

  /** Follows the references of a value. Nothing outside of the document is read. */
  follow(value: unknown, location: DocumentLocation | undefined): Found | ReferenceProblem {
    const hops = new Set<string>();
    let found: Found | ReferenceProblem = { value, location };
    while ('value' in found && isObject(found.value) && typeof found.value.$ref === 'string') {
      const reference: string = found.value.$ref;
      const known = this.#known.get(reference);
      found = known ?? (hops.has(reference) ? loop(reference) : this.find(reference));
      if (known) break;
      hops.add(reference);
    }
    for (const hop of hops) this.#known.set(hop, found);
    return found;
  }

  /** As `follow`, for a part of `needed`, without which an operation cannot be run. @throws NotRunnable */
  require(value: unknown, location: DocumentLocation | undefined, needed: Needed): Found {
    const found = this.follow(value, location);
    if ('value' in found) return found;
    throw new NotRunnable(needed.location, found.code, `${needed.name} could not be read: ${found.message}`);
  }

  /** The value that one reference names, which may be a reference itself. */
  find(reference: string): Found | ReferenceProblem {
    if (!reference.startsWith('#')) {
      const message = `${quote(reference)} is outside the document; payctl does not read other files or URLs`;
      return { code: 'reference_outside', message };
    }
    const names = namesOf(reference);
    const value = names.length === 0 ? undefined : memberAt(this.#document, names);
    if (value !== undefined) return { value, location: locationBelow(undefined, ...names) };
    return { code: 'reference_missing', message: `There is nothing at ${quote(reference)}` };
  }
}

/** The names on the way of a reference such as `#/components/schemas/Buyer`; none for one that is not a JSON pointer. */
export function namesOf(reference: string): readonly string[] {
  return segmentsOf(decodeComponent(reference.slice(1)));
}

function loop(reference: string): ReferenceProblem {
  return { code: 'reference_loop', message: `${quote(reference)} leads back to itself` };
}
