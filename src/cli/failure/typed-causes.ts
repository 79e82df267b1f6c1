/** A cause that the `type` of a detail indicates, and what to do about it where the details alone do not say it. */
export type TypedCause = {
  readonly types: RegExp;
  /** As it stands behind `Likely cause:`. */
  readonly cause: string;
  readonly remedy?: string;
};

/** What is wrong with the data of a request (400 and 422); the first that matches decides. */
export const CAUSES_OF_DATA: readonly TypedCause[] = [
  { types: /^missing|_missing$|\.missing$|required/, cause: 'a required field is missing' },
  {
    types: /enum|literal|extra_forbidden|union_tag/,
    cause: 'the API does not allow a value, or does not know a field',
  },
  {
    types: /regex|pattern|format|email|uuid|\b(?:date|time|datetime|url|uri)\b|encoding/,
    cause: 'a value does not have the format in its detail',
  },
  {
    types:
      /(?:greater|less)_than|too_(?:long|short|small|large)|(?:^|[._])(?:min|max)|not_[gl][te]|multiple|length/,
    cause: 'a value is outside the limits in its detail; the limits of an amount depend on the record',
  },
  {
    types: /_type$|_parsing|type_error|_from_|json/,
    cause: 'a value has the wrong type, such as a string instead of a number',
  },
];

/** Why a token was not accepted (401); the first that matches decides. */
export const CAUSES_OF_TOKEN: readonly TypedCause[] = [
  {
    types: /expired/,
    cause: 'the token had expired',
    remedy:
      'sign a new token; if it was new, set the clock of the machine that signs tokens, or give them a longer life',
  },
  {
    types: /not_yet|immature|not_before|\bnbf\b/,
    cause: 'the token was not valid yet',
    remedy: 'set the clock of the machine that signs tokens',
  },
  {
    types: /expiry|lifetime|\bexp\b/,
    cause: 'the token has no expiry time that the service accepts',
    remedy: 'sign it with the claim exp',
  },
  {
    types: /missing|absent|required/,
    cause: 'the request had no bearer token',
    remedy: 'send the header "Authorization: Bearer TOKEN"',
  },
  {
    types: /key|kid/,
    cause:
      'the service does not know the key of the token: it was deleted, or it belongs to another environment',
    remedy: 'compare its key ID with the keys of this environment: payctl auth inspect FILE',
  },
  {
    types: /signature/,
    cause: 'the signature does not fit the key that the token names',
    remedy: 'sign with the private key that belongs to the key ID of the token',
  },
  {
    types: /invalid|malformed|decode|jwt|token/,
    cause: 'the token is damaged, or no key that the service knows has signed it',
    remedy: 'find out what is wrong with it: payctl auth inspect FILE',
  },
];
