import { isObject } from '../json/is-object.ts';
import type { AnySchema, ConvertedSchema } from '../schemas/definitions.ts';
import type { Issues } from './issues.ts';
import { type DocumentLocation, type Found, locationBelow, namesOf, type References } from './references.ts';
import { convertKeyword, withNull } from './schema-keywords.ts';
import { loopsOf } from './schema-loops.ts';

type Waiting = Found & { readonly name: string };
type Source = Readonly<Record<string, unknown>>;
type MaybeLocation = DocumentLocation | undefined;

/** The definitions that a schema refers to, and whether it also refers to another file or an address. */
type Referred = { readonly names: Set<string>; leaves: boolean };

/**
 * Turns the schemas of a description into JSON Schema 2020-12. What a reference leads to becomes a definition, once however
 * often it is referred to: nothing is expanded, and the time is in proportion to the document.
 */
export class Schemas {
  readonly definitions = new Map<string, ConvertedSchema>();
  readonly #places = new Map<string, DocumentLocation | undefined>();
  /** The definitions, and the schemas of operations, that refer to another file or an address themselves. */
  readonly #leaving = new Set<string | ConvertedSchema>();
  readonly #names = new Map<string, string>();
  readonly #waiting: Waiting[] = [];
  readonly #references: References;
  readonly #issues: Issues;

  constructor(references: References, issues: Issues) {
    this.#references = references;
    this.#issues = issues;
  }

  /** A schema of an operation, with everything that it refers to. */
  convert(value: unknown, location: DocumentLocation): ConvertedSchema {
    const converted = this.#converted(value, location);
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop())
      this.definitions.set(next.name, this.#converted(next.value, next.location, next.name));
    return converted;
  }

  /** Converts a schema down to its references; `name` is that of a definition. */
  #converted(value: unknown, location: MaybeLocation, name?: string): ConvertedSchema {
    const found: Referred = { names: new Set(), leaves: false };
    const schema = this.#schema(value, location, found);
    const converted = { schema, references: [...found.names] };
    if (found.leaves) this.#leaving.add(name ?? converted);
    return converted;
  }

  /** Opens every circle of definitions that a validator could not leave, and says where. To be called once, at the end. */
  breakLoops(): void {
    for (const { name, schema, message } of loopsOf(this.definitions)) {
      const { references } = this.definitions.get(name) ?? { references: [] };
      this.definitions.set(name, { schema, references });
      this.#issues.add(this.#places.get(name), 'schema_endless', message);
    }
  }

  /** The definitions that lead out of the document, directly or by way of others, and the schemas of operations that do so directly. */
  leaving(): ReadonlySet<string | ConvertedSchema> {
    const users = new Map<string | ConvertedSchema, string[]>();
    for (const [name, { references }] of this.definitions) {
      for (const used of references) users.set(used, [...(users.get(used) ?? []), name]);
    }
    const all = new Set(this.#leaving);
    for (const name of all) for (const user of users.get(name) ?? []) all.add(user);
    return all;
  }

  /** A name of plain letters, so that no reference to it needs an escape and no object takes it for a member of its own. */
  #freeName(reference: string): string {
    const names = namesOf(reference);
    const isComponent = names.length === 3 && names[0] === 'components' && names[1] === 'schemas';
    const wanted = (isComponent ? (names[2] ?? '') : names.join('.'))
      .replaceAll(/[^\w.-]/g, '_')
      .slice(0, 120);
    const base = /^[A-Za-z]/.test(wanted) && !(wanted in {}) ? wanted : `schema_${wanted}`;
    let name = base;
    for (let number = 2; this.#places.has(name); number += 1) name = `${base}_${number}`;
    return name;
  }

  #schema(value: unknown, location: MaybeLocation, found: Referred): AnySchema {
    if (typeof value === 'boolean') return value;
    if (!isObject(value)) {
      this.#issues.add(location, 'schema_invalid', 'This is not a schema; anything is accepted here');
      return {};
    }
    // The members next to a reference count, as 3.1 has it; those of 3.0 are descriptions in practice.
    const schema = this.#keywords(value, location, found);
    return value.nullable === true ? withNull(schema) : schema;
  }

  /** The reference to the definition of what a reference of the document leads to. */
  #reference(reference: string, location: MaybeLocation, found: Referred): string | undefined {
    let name = this.#names.get(reference);
    if (name === undefined) {
      const target = this.#references.find(reference);
      if ('code' in target) {
        if (target.code === 'reference_outside') found.leaves = true;
        this.#issues.add(location, target.code, `${target.message}; anything is accepted here`);
        return undefined;
      }
      name = this.#freeName(reference);
      this.#names.set(reference, name);
      this.#places.set(name, target.location);
      this.#waiting.push({ name, ...target });
    }
    found.names.add(name);
    return `#/$defs/${name}`;
  }

  #keywords(source: Source, location: MaybeLocation, found: Referred): AnySchema {
    const members: [string, unknown][] = [];
    for (const [name, value] of Object.entries(source)) {
      const below = { above: location, name };
      const converted = convertKeyword(name, value, {
        source,
        schema: (part, ...names) => this.#schema(part, locationBelow(below, ...names), found),
        reference: (text) => this.#reference(text, name === '$ref' ? location : below, found),
      });
      if (Array.isArray(converted)) members.push(...converted);
      else if (converted.problem !== undefined) this.#issues.add(below, 'schema_invalid', converted.problem);
    }
    return Object.fromEntries(members);
  }
}
