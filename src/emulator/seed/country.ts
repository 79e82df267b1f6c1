/** What a made-up buyer of one country is put together from. In templates `#` is a digit and `@` a letter. */
export type Country = {
  readonly code: string;
  readonly given: readonly [string, ...string[]];
  readonly family: readonly [string, ...string[]];
  /** Whether the family name comes first and is written without a space, as in Chinese or Japanese. */
  readonly familyFirst?: boolean;
  readonly cities: readonly [City, ...City[]];
  readonly streets: readonly [string, ...string[]];
  /** Whether the house number stands before the street. */
  readonly houseFirst?: boolean;
  readonly postalCode: string;
  /** E.164. Number ranges are ones set aside for fiction, or begin with zeros, so that they reach nobody. */
  readonly phone: string;
  readonly taxId: { readonly kind: string; readonly template: string };
  readonly companies: readonly [string, ...string[]];
};

/** A city, the state or province it lies in, and the ISO 3166-2 code of that. */
export type City = readonly [city: string, state: string | null, stateCode: string | null];
