import { UsageError } from './errors.ts';

/**
 * Fills the `{name}` parts of a path of the contract with percent-encoded values.
 * @throws UsageError `bad_path_value` for a value that is missing, empty, `.` or `..`, which would address another
 * resource than the caller meant.
 */
export function fillPath(template: string, values: Readonly<Record<string, string>> = {}): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined || value === '' || value === '.' || value === '..' || !value.isWellFormed()) {
      throw new UsageError('bad_path_value', `${name} cannot be ${JSON.stringify(value ?? '')}`, {
        hint: `Give the ${name} as the service shows it, for example 8b1f5c0e-6c1d-4b52-9a53-2f1f0d9c8f11.`,
      });
    }
    return encodeURIComponent(value);
  });
}

/** The query string (with its `?`) of the values that are set, in the order given; empty when there are none. */
export function queryString(
  query: Readonly<Record<string, string | number | boolean | undefined | null>>,
): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  if (pairs.length === 0) return '';
  return `?${pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeQueryValue(String(value))}`).join('&')}`;
}

function encodeQueryValue(value: string): string {
  return encodeURIComponent(value.toWellFormed());
}
