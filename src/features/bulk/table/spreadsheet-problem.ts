import { currencyCode } from '../../../text/currency.ts';
import { shown } from './input-row.ts';

/** The kind of value that the schema expects in a cell. */
export type CellKind = 'text' | 'integer' | 'number' | 'amount';

/** A formula that failed, in six languages, and a number that did not fit its column. */
const ERROR_VALUES = [
  /^#¡?(?:REF|VALUE|DIV\/0|NUM|NULL|SPILL|CALC|FIELD|BLOCKED|CONNECT|UNKNOWN|BUSY|PYTHON|ERROR)!$/,
  /^#¡?(?:BEZUG|WERT|ZAHL|ÜBERLAUF|VALEUR|NOMBRE|NUL|VALOR|NULO|RIF|VALORE)!$/,
  /^#(?:NAME\?|NOM\?|NOME\?|¿NOMBRE\?|N\/[AD]|NV|N\/DISP|GETTING_DATA|#{2,})$/,
  /^Err:\d{3}$/,
];

/** The problem of a cell that contains the error of a formula, such as `#REF!`; undefined for any other cell. */
export function errorValueProblem(text: string): string | undefined {
  const mayBe = text.startsWith('#') || text.startsWith('Err:');
  if (!mayBe || !ERROR_VALUES.some((pattern) => pattern.test(text))) return undefined;
  return `${shown(text)} is a spreadsheet error, not a value. Correct it in the spreadsheet.`;
}

/** A number as spreadsheets shorten it: one digit before the point, two or more in the exponent. */
const SHORTENED = /^[+-]?\d(?:[.,]\d+)?E[+-]\d{2,}$/;
const SCIENTIFIC = /^(?:[A-Z]{3} ?)?[+-]?[\d.,]+[eE][+-]?\d+(?: ?[A-Z]{3})?$/;
/** An apostrophe before what a spreadsheet would take for a number or a formula. */
const FORCED_TEXT = /^'(?:[=+@-]|\d[\d.,]*$)/;
/** How the texts begin that can be damaged. */
const MAY_BE_DAMAGED = /^[#E'+\d-]/;
const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/;
const SPACE = /[\s\u2060]/;
const CURRENCY = /\p{Sc}|^[A-Z]{3} ?[\d\(.\-]|\d ?[A-Z]{3}$/v;
/** A minus or a hyphen that is not the one of ASCII. */
const OTHER_MINUS = /[\u2010-\u2015\u2212\uFE63\uFF0D]/;
const OTHER_DIGIT = /[\p{Nd}--[0-9]]/v;

/**
 * How a spreadsheet has damaged a cell, and what to write instead; undefined if there is no sign of damage. `currency` is the code that the
 * row has. Does not report values that are not numbers at all, or lost leading zeros, which cannot be detected.
 */
export function spreadsheetProblem(text: string, kind: CellKind, currency?: string): string | undefined {
  if (kind === 'text' ? !MAY_BE_DAMAGED.test(text) : PLAIN_NUMBER.test(text)) return undefined;
  const error = errorValueProblem(text);
  if (error !== undefined) return error;
  if (FORCED_TEXT.test(text)) {
    return `${shown(text)} begins with an apostrophe, which spreadsheets use to mark text. Remove it.`;
  }
  if (kind === 'text') return SHORTENED.test(text) ? shortened(text) : undefined;
  return text === '' ? undefined : numberProblem(text, kind, currency);
}

function numberProblem(text: string, kind: CellKind, currency: string | undefined): string | undefined {
  const trimmed = text.trim();
  if (!/\p{Nd}/u.test(trimmed)) return undefined;
  if (SCIENTIFIC.test(trimmed)) return shortened(text);
  if (PLAIN_NUMBER.test(trimmed)) return `${shown(text)} has spaces around the number. Remove them.`;
  if (trimmed.includes('%')) return `${shown(text)} is a percentage. Write only the number.`;
  if (/^\(.*\)$|-$/.test(trimmed) || OTHER_MINUS.test(trimmed)) {
    return `${shown(text)} is not a plain negative number. Write it with a hyphen before the digits, such as -12.00.`;
  }
  if (OTHER_DIGIT.test(trimmed)) return `${shown(text)} has digits other than 0 to 9.`;
  if (trimmed.startsWith('+')) return `${shown(text)} has a plus sign. Remove it.`;
  if (CURRENCY.test(trimmed)) {
    const remedy = kind === 'amount' ? withCode(trimmed, currency) : 'Write only the number';
    return `${shown(text)} has a currency. ${remedy}.`;
  }
  if (!/^-?[\d.,'\u2019_\s\u2060]+$/.test(trimmed)) return undefined;
  if (SPACE.test(trimmed)) return `${shown(text)} has spaces between its digits. ${plainly(kind)}`;
  if (kind !== 'integer' && /^-?\d+,\d{1,2}$/.test(trimmed)) {
    return `${shown(text)} has a decimal comma. Write it with a point: ${trimmed.replace(',', '.')}.`;
  }
  if (/^-?\d+,\d+$/.test(trimmed)) {
    return `${shown(text)} has a comma, which may be a decimal or a thousands separator. ${plainly(kind)}`;
  }
  return `${shown(text)} is not a plain number. ${plainly(kind)}`;
}

/** How to write an amount with its currency: itself with the code that the row has, if its symbol is that of this currency. */
function withCode(text: string, code: string | undefined): string {
  const [symbol] = /\p{Sc}/u.exec(text) ?? [];
  const number = text.replace(/ ?\p{Sc} ?/u, '');
  const known = code === undefined ? undefined : currencyCode(code);
  const isMeant = known !== undefined && PLAIN_NUMBER.test(number) && symbol === symbolOf(known);
  return isMeant ? `Write it as ${number}${known}` : 'Write it such as 1234.56EUR';
}

function symbolOf(currency: string): string | undefined {
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  });
  return format.formatToParts(0).find(({ type }) => type === 'currency')?.value;
}

function shortened(text: string): string {
  return (
    `${shown(text)} is in scientific notation, so its last digits may be lost. ` +
    'Copy the value from its source, and format the column as text in the spreadsheet.'
  );
}

function plainly(kind: CellKind): string {
  const example = kind === 'integer' ? '1234' : '1234.56';
  return `Write it without thousands separators, such as ${example}.`;
}
