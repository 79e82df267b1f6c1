import type { QueryParameter } from '../../contract/operation.ts';
import type { RecordForm } from './forms.ts';

/** What the ids of a kind of record have to be. */
export type IdForm = {
  /** The only ids that there may be. */
  readonly allowed: readonly string[] | undefined;
  /** What an id has to fit; the next one counts if no text fits the one before. Empty: any text. */
  readonly schemas: readonly unknown[];
  readonly root: unknown;
  readonly idName: string;
};

const LIMITS = ['minLength', 'maxLength', 'minimum', 'maximum', 'pattern', 'format'] as const;

/** The form of an id: what the member of the record asks for, and the path parameter that names the record. */
export function idFormOf(parameter: QueryParameter | undefined, form: RecordForm | undefined): IdForm {
  const limits = LIMITS.flatMap((name) => (parameter?.[name] === undefined ? [] : [[name, parameter[name]]]));
  const inPath: unknown = { type: 'string', ...Object.fromEntries(limits) };
  const member = form?.idName === undefined ? undefined : form.schema.members.get(form.idName);
  const { type: _, ...ofParameter } = inPath as { type: string };
  const own = member === undefined ? [] : [member];
  const isLimited = limits.length > 0;
  const both = member !== undefined && isLimited ? [{ allOf: [member, ofParameter] }] : [];
  return {
    allowed: parameter?.enum,
    schemas: member === undefined && isLimited ? [inPath] : [...both, ...own],
    root: form?.schema.root ?? {},
    idName: form?.idName ?? 'id',
  };
}
