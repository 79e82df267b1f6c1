/** A cause that a response names, and its remedy where the response does not already give one. */
export type NamedCause = {
  /** Matches the `type` of a detail. */
  readonly types?: RegExp;
  /** Matches the message of a detail or of the response. */
  readonly messages?: RegExp;
  /** The text after `Likely cause:`. */
  readonly cause: string;
  readonly remedy?: string;
  /** Whether a wrong clock may be the reason. */
  readonly isAboutTime?: boolean;
  /** A message that names another cause beats this one. */
  readonly isVague?: boolean;
};

/** Of a 409 without a resource_id, and of messages about idempotency keys. */
export const KEY_USED =
  'the idempotency key was already used for another request; each request needs its own key';

/** The merchant account that an API key is restricted to, as a message names it. */
const ACCOUNT_OF_KEY =
  /\brestricted to (?:the )?(?:merchant )?account:? ["'`]?(\w[\w-]{0,63}(?:\.[\w-]{1,63}){0,4})/i;

/** A cause that only a message can name. */
export type CauseOfMessage = NamedCause & {
  /** The statuses that the message comes with. */
  readonly statuses: readonly number[];
  readonly messages: RegExp;
  readonly remedy: string;
  /** The commands to run next instead of those of the status; `ACCOUNT` is what the pattern captures. */
  readonly commands?: readonly string[];
};

/** Causes that the service names in a message. They take precedence over all others; the first match wins. */
export const CAUSES_OF_MESSAGES: readonly CauseOfMessage[] = [
  {
    statuses: [400, 401, 403, 404],
    messages: ACCOUNT_OF_KEY,
    cause: 'the API key is restricted to one merchant account, which the message names',
    remedy: 'send the request for that merchant account, or use a key that is not restricted to it',
    commands: ['doctor -m ACCOUNT'],
  },
  {
    statuses: [401, 403],
    messages: /\bkey\b.*\brestricted\b|\brestricted\b.*\bkey\b/i,
    cause: 'the API key is restricted; other scopes would not help',
    remedy: 'use another key, or ask the administrator of the key to lift the restriction',
  },
  {
    statuses: [401, 403],
    messages: /\bIP\b.*\b(?:allow|permit|block|den)|\b(?:allow|permit|block|den)\w*\b.*\bIP\b/i,
    cause: 'the service does not accept requests from this IP address',
    remedy: 'ask the administrator of the API key to allow the address',
    commands: [],
  },
  {
    statuses: [400, 403, 409, 423],
    messages: /\blocked\b/i,
    cause: 'the resource is locked; other scopes would not help',
    remedy: 'find out what locked it, such as a payment that is under way, or use another resource',
    commands: [],
  },
  {
    statuses: [400, 415, 422],
    messages: /\bcontent.?type\b|\bmedia.?type\b|\bmust be application\//i,
    cause: 'the Content-Type header does not name a media type that the API supports',
    remedy: 'send the header "Content-Type: application/json"',
  },
  {
    statuses: [400, 422],
    messages:
      /\bnot (?:be )?(?:a )?(?:valid )?JSON\b|\b(?:invalid|malformed) JSON\b|\bJSON (?:decode|parse|syntax)/i,
    cause: 'the body is not valid JSON',
    remedy: 'check the body with a JSON parser, then send the request again',
  },
  {
    statuses: [400, 404, 422],
    messages: /\bcursor\b/i,
    cause: 'the cursor is not from this list, or it is no longer valid',
    remedy: 'begin again with the first page, without a cursor',
  },
  {
    statuses: [400, 409, 422],
    messages:
      /\bidempoten.*\b(?:in progress|processed|processing|running|concurrent)\b|\bconcurrent\b.*\bidempoten/i,
    cause: 'a request with the same idempotency key is still being processed',
    remedy: 'wait until it finishes, then send this request again with the same key',
  },
  {
    statuses: [400, 409, 422],
    messages: /\bidempoten/i,
    cause: KEY_USED,
    remedy: 'send this request with a new key',
  },
  {
    statuses: [400, 403, 404],
    messages:
      /\bmerchant.?account\b.*\b(?:not|unknown|invalid|no)\b|\b(?:unknown|invalid|no such) merchant.?account\b/i,
    cause: 'the service does not know the merchant account of the request, or the token has no access to it',
    remedy: 'correct the merchant account ID that the request names',
  },
  {
    statuses: [400, 404, 409, 410],
    messages: /\bsession\b.*\bexpired\b|\bexpired\b.*\bsession\b/i,
    cause: 'the checkout session has expired; by default, it lives for 1 hour',
    remedy: 'create a new checkout session',
  },
  {
    statuses: [502, 503, 504],
    messages: /\bmaintenance\b/i,
    cause: 'the service is down for maintenance',
    remedy: 'try again when the maintenance is over',
  },
];

/** The merchant account that, according to a message of the service, the API key is restricted to. */
export function accountOfKey(message: string): string | undefined {
  return ACCOUNT_OF_KEY.exec(message)?.[1];
}

/** What is wrong with the data of a request (400 and 422); the first that matches decides. */
export const CAUSES_OF_DATA: readonly NamedCause[] = [
  {
    types: /^missing|_missing$|\.missing$|required/,
    messages: /\b(?:is|field) (?:required|missing)\b|\bmissing\b/i,
    cause: 'a required field is missing',
  },
  {
    types: /enum|literal|extra_forbidden|union_tag/,
    messages: /\b(?:one of|unknown field|extra|permitted|not allowed|unexpected)\b/i,
    cause: 'the API does not allow a value, or does not know a field',
  },
  {
    types: /regex|pattern|format|email|uuid|\b(?:date|time|datetime|url|uri)\b|encoding/,
    messages: /\b(?:match|format|pattern)\b|\bvalid (?:email|e-mail|uuid|date|url|uri|phone)\b/i,
    cause: 'a value does not have the format that its detail gives',
  },
  {
    types:
      /(?:greater|less)_than|too_(?:long|short|small|large)|(?:^|[._])(?:min|max)|not_[gl][te]|multiple|length/,
    messages:
      /\b(?:at (?:most|least)|between|exceeds?|(?:greater|less|more|fewer) than|too (?:long|short|small|large))\b/i,
    cause:
      'a value is outside the limits that its detail gives; the limits of an amount depend on the record',
  },
  {
    types: /_type$|_parsing|type_error|_from_|json/,
    messages: /\b(?:must|should) be an? (?:valid )?(?:integer|number|string|boolean|array|object|list)\b/i,
    cause: 'a value has the wrong type, such as a string instead of a number',
  },
];

/** Why a token was not accepted (401); the first that matches decides. */
export const CAUSES_OF_TOKEN: readonly NamedCause[] = [
  {
    types: /expired/,
    messages: /\bexpired\b/i,
    cause: 'the token had expired',
    isAboutTime: true,
    remedy:
      'sign a new token; if it was new, set the clock of the machine that signs tokens, or give them a longer life',
  },
  {
    types: /not_yet|immature|not_before|\bnbf\b/,
    messages: /\bnot (?:yet valid|valid (?:yet|before))\b|\bin the future\b|\bnbf\b/i,
    cause: 'the token was not valid yet',
    isAboutTime: true,
    remedy: 'set the clock of the machine that signs tokens',
  },
  {
    types: /expiry|lifetime|\bexp\b/,
    messages: /\b(?:expiry|lifetime|exp)\b/i,
    cause: 'the token has no expiry time that the service accepts',
    remedy: 'sign it with the claim exp',
  },
  {
    types: /audience|instance|environment|issuer/,
    messages: /\b(?:audience|another instance|wrong instance|environment)\b/i,
    cause: 'the token is for another instance or environment of the service',
    remedy: 'use the key of this environment, or send the request to the environment of the key',
  },
  {
    types: /missing|absent|required/,
    messages:
      /\bno (?:bearer |access )?token\b|\bmissing\b.*\b(?:token|authorization)\b|\b(?:token|authorization)\b.*\b(?:missing|required)\b/i,
    cause: 'the request had no bearer token',
    remedy: 'send the header "Authorization: Bearer TOKEN"',
  },
  {
    types: /key|kid/,
    messages:
      /\bkey\b.*\b(?:unknown|not|revoked|deleted|disabled|inactive)\b|\b(?:unknown|revoked|deleted|registered)\b.*\bkey\b/i,
    cause:
      'the service does not know the key of the token: it was deleted, or it belongs to another environment',
    remedy: 'compare its key ID with the keys of this environment: payctl auth inspect FILE',
  },
  {
    types: /signature/,
    messages: /\bsignature\b/i,
    cause: 'the signature does not fit the key that the token names',
    remedy: 'sign with the private key that belongs to the key ID of the token',
  },
  {
    types: /invalid|malformed|decode|jwt|token/,
    messages: /\b(?:malformed|decoded?|not a JWT)\b/i,
    cause: 'the token is damaged, or no key that the service knows has signed it',
    remedy: 'find out what is wrong with it: payctl auth inspect FILE',
    isVague: true,
  },
];
