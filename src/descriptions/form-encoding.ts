import { isObject, own } from '../json/is-object.ts';

/**
 * How an object or a list in a form is written: as JSON, with each value in brackets (`tags[0]=a`), or a list as values
 * under one key, which are joined or `repeat` the key.
 */
export type FormStyle = 'json' | 'brackets' | 'repeat' | ',' | ' ' | '|';

/** The style of each member for which the description has one. By default, lists repeat the key and objects use brackets. */
export type FormEncoding = Readonly<Record<string, FormStyle>>;

/** What joins the values of a list, by the styles of parameters and of forms that name it. */
export const DELIMITERS: Readonly<Record<string, ' ' | '|'>> = { spaceDelimited: ' ', pipeDelimited: '|' };

/** The styles that the `encoding` of a media type names. */
export function readEncoding(encoding: unknown): FormEncoding | undefined {
  const styles = Object.entries(isObject(encoding) ? encoding : {}).flatMap(([name, member]) => {
    const style = isObject(member) ? styleOf(member) : undefined;
    return style === undefined ? [] : [[name, style] as const];
  });
  return styles.length > 0 ? Object.fromEntries(styles) : undefined;
}

function styleOf({ contentType, style, explode }: Readonly<Record<string, unknown>>): FormStyle | undefined {
  if (typeof contentType === 'string' && /^application\/(?:[\w.-]+\+)?json\b/i.test(contentType))
    return 'json';
  if (style === 'deepObject') return 'brackets';
  const delimiter = own(DELIMITERS, String(style));
  if (delimiter) return explode === true ? 'repeat' : delimiter;
  return explode === false ? ',' : undefined;
}
