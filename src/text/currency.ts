/** ISO 4217's currencies whose smallest unit is not a hundredth; ICU deviates from it for a dozen others. */
const DECIMALS: ReadonlyMap<string, number> = new Map([
  ...decimalsOf(0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'),
  ...decimalsOf(3, 'BHD IQD JOD KWD LYD OMR TND'),
  ...decimalsOf(4, 'CLF UYW'),
]);
/** Codes of ISO 4217 that stand for no money with a smallest unit: metals, baskets, tests. */
const NO_UNIT = new Set('XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'.split(' '));

function decimalsOf(decimals: number, codes: string): [string, number][] {
  return codes.split(' ').map((code) => [code, decimals]);
}

let known: ReadonlySet<string> | undefined;

/**
 * How many decimals an amount of a currency has in its major unit, by ISO 4217: 2 for `GBP`, 0 for `JPY`. Undefined for a code that is
 * not known in capital letters, or that stands for no money with a smallest unit.
 */
export function currencyDecimals(currency: string): number | undefined {
  known ??= new Set(Intl.supportedValuesOf('currency'));
  if (NO_UNIT.has(currency)) return undefined;
  return DECIMALS.get(currency) ?? (known.has(currency) ? 2 : undefined);
}

/** The code of a currency in capital letters, as ISO 4217 writes it; undefined for one without a smallest unit that is known. */
export function currencyCode(text: string): string | undefined {
  const code = /^[A-Za-z]{3}$/.test(text) ? text.toUpperCase() : '';
  return currencyDecimals(code) === undefined ? undefined : code;
}
