import { isNestedDeeper, MAX_DEPTH } from '../json/depth.ts';
import { own } from '../json/is-object.ts';
import { decodePair } from '../text/decode.ts';
import { typedForm } from './form-body.ts';
import type { FormEncoding } from './form-encoding.ts';

/** The values of a form by the names in their keys, and what `[]` appends is called. A leaf has all values of its key. */
class Tree extends Map<string, Tree | string[]> {
  #next = 0;

  /** The index after all commands. */
  nextIndex(): string {
    return String(this.#next);
  }

  override set(key: string, value: Tree | string[]): this {
    if (/^\d{1,9}$/.test(key)) this.#next = Math.max(this.#next, Number(key) + 1);
    return super.set(key, value);
  }
}

/** If a name has more brackets than this, they are part of the name. */
const DEEPEST = 30;
const NAME = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;

/**
 * Reads a form: `a[b]=1` is a member of `a`, `a[]=1`, `a[0]=1` and a repeated `a=1` are elements of it, and every text has the type
 * that the schema gives it. @throws URIError for an invalid escape
 */
export function readForm(
  text: string,
  { schema, encoding = {} }: { readonly schema: unknown; readonly encoding?: FormEncoding | undefined },
): unknown {
  const tree = new Tree();
  // The elements of a list have one name.
  let [last, steps]: [string | undefined, readonly string[]] = [undefined, []];
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const [name, value] = decodePair(pair);
    if (name !== last) [last, steps] = [name, stepsOf(name)];
    put(tree, steps, value);
  }
  const plain = Object.entries(partOf(tree) as object).map(([name, value]): [string, unknown] => {
    const style = own(encoding, name);
    if (typeof value !== 'string' || style === undefined) return [name, value];
    if (style === 'json') return [name, fromJson(value)];
    const isJoined = style === ',' || style === ' ' || style === '|';
    return [name, isJoined && value.includes(style) ? value.split(style) : value];
  });
  return typedForm(Object.fromEntries(plain), schema);
}

/** What is nested deeper than a request may be stays a text: checking it would use up the stack. */
function fromJson(text: string): unknown {
  if (isNestedDeeper(text, MAX_DEPTH)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function stepsOf(name: string): readonly string[] {
  const [, first, brackets = ''] = NAME.exec(name) ?? [];
  const further = [...brackets.matchAll(/\[([^[\]]*)\]/g)].map(([, step = '']) => step);
  return first === undefined || further.length > DEEPEST ? [name] : [first, ...further];
}

/** Sets a value, and replaces an earlier one that is an object where this is a text, or the reverse. */
function put(tree: Tree, steps: readonly string[], text: string): void {
  let at = tree;
  for (const [index, step] of steps.entries()) {
    const key = step === '' && index > 0 ? at.nextIndex() : step;
    const known = at.get(key);
    if (index === steps.length - 1) {
      if (Array.isArray(known)) known.push(text);
      else at.set(key, [text]);
      return;
    }
    const next: Tree = known instanceof Tree ? known : new Tree();
    if (next !== known) at.set(key, next);
    at = next;
  }
}

function partOf(tree: Tree | readonly string[]): unknown {
  if (!(tree instanceof Map)) return tree.length === 1 ? tree[0] : tree;
  return Object.fromEntries([...tree].map(([name, part]) => [name, partOf(part)]));
}
