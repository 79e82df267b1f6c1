import { isObject } from '../../../json/is-object.ts';
import { isUuid } from '../../../text/format.ts';
import { shellQuote } from '../../../text/shell.ts';
import { type Entry, tookOf, whyOf } from '../entry.ts';
import { type DescribedPaths, explanationOf } from '../explain.ts';
import { fingerprintOf } from '../fingerprint.ts';
import type { Group } from '../summary.ts';
import type { Example } from './examples.ts';
import type { Report, ReportContext, ShownExample } from './model.ts';
import { Pseudonyms } from './pseudonyms.ts';

/** Stands for a filter that is a text. */
const LEFT_OUT = '(left out)';

/** An example with the number of its group, from 1. */
export type NumberedExample = Example & { readonly number: number };

/** Masks the parts of a report: the same value has the same pseudonym in all of them. */
export class Masking {
  readonly #pseudonyms: Pseudonyms;
  readonly #paths: DescribedPaths;
  readonly #context: ReportContext;

  constructor(basePath: string, context: ReportContext) {
    this.#pseudonyms = new Pseudonyms(basePath);
    this.#paths = { basePath, hasOthers: context.hasOthers === true };
    this.#context = context;
  }

  /** The examples; to be called before everything else, because bodies tell by the names of their members what is personal. */
  examples(examples: readonly NumberedExample[]): readonly ShownExample[] {
    // What one body has of a person is replaced in all others, too.
    for (const { entry, requestBody } of examples) this.#pseudonyms.value([requestBody, entry.body]);
    return examples.map((example) => this.#example(example));
  }

  /** A group of the summary. */
  group(group: Group): Group {
    return {
      ...group,
      code: this.#text(group.code),
      method: this.#text(group.method),
      path: group.path === null ? null : this.#pseudonyms.path(group.path),
      pointer: this.#text(group.pointer),
      type: this.#text(group.type),
      message: this.#context.hasMessages ? this.#text(group.message) : null,
      example_id: this.#id(group.example_id),
    };
  }

  /** The filters, as typed but masked. */
  filters(): Report['filters'] {
    const given = Object.entries(this.#context.filters);
    return Object.fromEntries(
      given.map(([name, value]) => [name, [value].flat().map((text) => this.#filter(name, text))]),
    );
  }

  /** A message filter and a jq expression may contain a name. */
  #filter(name: string, text: string): string {
    const isText = name === 'message' || name === 'where';
    if (isText && !this.#context.hasMessages) return LEFT_OUT;
    return name === 'path' ? this.#pseudonyms.path(text) : this.#pseudonyms.text(text);
  }

  #example({ entry, requestBody, number }: NumberedExample): ShownExample {
    const { id, at, status, method, url } = entry;
    const body = this.#body(entry.body);
    // Causes quote the message of the service.
    const { meaning, causes, remedy, commands } = explanationOf({ ...entry, body }, this.#paths);
    const masked = this.#pseudonyms.value(body);
    return {
      group: number,
      id: this.#id(id ?? null),
      time: at === undefined ? null : new Date(at).toISOString(),
      took_ms: tookOf(entry) ?? null,
      status: status ?? null,
      method: this.#text(method ?? null),
      url: url === undefined ? null : this.#url(url),
      request_body: this.#pseudonyms.value(this.#body(requestBody)) ?? null,
      response_body: masked ?? null,
      // Of the masked body: it may end in the middle of what is to be masked.
      why: this.#pseudonyms.text(whyOf({ body: masked })),
      meaning: meaning ?? null,
      causes: causes.map((cause) => this.#pseudonyms.text(cause)),
      remedy: this.#text(remedy ?? null),
      commands: this.#commands(entry, commands),
    };
  }

  /** Without a path that is masked, and without those that would not run, because they name something else that is. */
  #commands(entry: Entry, commands: readonly string[]): readonly string[] {
    const { source, view, commandOf } = this.#context;
    const { id } = entry;
    if (view === 'merchant') return [];
    const isListed = source.files.length === 0 && id !== undefined && isUuid(id);
    const { path } = fingerprintOf(entry, this.#paths.basePath);
    const isMasked = path !== null && this.#pseudonyms.path(path) !== path;
    const runnable = commands
      .map((words) => (isMasked ? words.replace(` --path ${shellQuote(path)}`, '') : words))
      .filter((words) => this.#pseudonyms.text(words) === words);
    return [...(isListed ? [`api-logs get ${shellQuote(id)}`] : []), ...runnable].map(commandOf);
  }

  /** The part of a body that may be shown. */
  #body(body: unknown): unknown {
    return this.#context.hasMessages ? body : withoutTexts(body);
  }

  #url(url: string): string {
    const isForMerchant = this.#context.view === 'merchant';
    return this.#pseudonyms.url(isForMerchant ? url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '') : url);
  }

  #text(text: string | null): string | null {
    return text === null ? null : this.#pseudonyms.text(text);
  }

  /** The id of an entry is what one finds it by; it says nothing of a person. */
  #id(id: string | null): string | null {
    return id === null || isUuid(id) ? id : this.#pseudonyms.text(id);
  }
}

/** Members whose texts are words of the API: what kind of mistake it is, and where. */
const WORDS =
  /^(?:type|code|status|pointer|loc|location|resource_type|method|scheme|mode|currency|country|created_at|updated_at|timestamp)$/;
const WORD = /^[\w./:+*{}-]{1,100}$/;

/** A copy of JSON without free text: numbers, and the words of the members that are known to hold such. */
function withoutTexts(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return WORDS.test(name) && WORD.test(value) ? value : undefined;
  if (Array.isArray(value)) {
    return value.map((part) => withoutTexts(part, name)).filter((part) => part !== undefined);
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value)
    .filter(([key]) => WORD.test(key))
    .map(([key, part]) => [key, withoutTexts(part, key)] as const);
  return Object.fromEntries(members.filter(([, part]) => part !== undefined));
}
