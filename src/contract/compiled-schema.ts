// What the generated validators are made of.

/** An error of JSON Schema: its keyword and parameters, the pointers to the value and to the keyword. */
export type CompiledError = {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
};

/** A compiled schema: whether a value is valid, and what is wrong with the last one that was not. */
export type Validator = { (value: unknown): boolean; errors?: readonly CompiledError[] | null };

/** The formats of the description, by their names. */
export const formats = { date: isDate, 'date-time': isDateTime };

/** Whether the calendar has the day, which `Date` makes another one of where it has not. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

const time = /^T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

function isDateTime(text: string): boolean {
  return isDate(text.slice(0, 10)) && time.test(text.slice(10));
}

/** The length of a string as JSON Schema counts it: in code points. */
export function lengthOf(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length - 1; at += 1) {
    if ((text.codePointAt(at) ?? 0) > 0xffff) {
      length -= 1;
      at += 1;
    }
  }
  return length;
}
