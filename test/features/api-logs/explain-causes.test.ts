import { describe, expect, it } from 'vitest';
import { adviceFor } from '../../../src/cli/failure/advice.ts';
import { readApiError } from '../../../src/client/response.ts';
import { readEntry } from '../../../src/features/api-logs/entry.ts';
import { explanationOf } from '../../../src/features/api-logs/explain.ts';
import { SAMPLES, type Sample } from './explain-corpus.ts';

/** Without `next`, the next command lists the failures that are alike. */
type Expected = { readonly causes: readonly string[]; readonly remedy?: string; readonly next?: string };

/** By the names of the samples; one such as `a missing field, without a type` may be left out where it is like `a missing field`. */
const EXPECTED: Readonly<Record<string, Expected>> = {
  'a missing field': {
    causes: ['a required field is missing'],
    remedy: 'correct /last_name (body), then send the request again',
    next: "api-logs list --status 400 --method POST --path '/buyers/{buyer_id}/shipping-details' --pointer /last_name",
  },
  'a wrong format': {
    causes: ['a value does not have the format that its detail gives'],
    remedy: 'correct /phone_number (body), then send the request again',
    next: "api-logs list --status 400 --method POST --path '/buyers/{buyer_id}/shipping-details' --pointer /phone_number",
  },
  'a wrong format, of a vague type': {
    causes: ['a value does not have the format that its detail gives'],
    remedy: 'correct /email_address (body), then send the request again',
    next: "api-logs list --status 400 --method POST --path '/buyers/{buyer_id}/shipping-details' --pointer /email_address",
  },
  'a text that is too long': {
    causes: [
      'a value is outside the limits that its detail gives; the limits of an amount depend on the record',
    ],
    remedy: 'correct /first_name (body), then send the request again',
    next: "api-logs list --status 400 --method POST --path '/buyers/{buyer_id}/shipping-details' --pointer /first_name",
  },
  'a limit that is too large': {
    causes: [
      'a value is outside the limits that its detail gives; the limits of an amount depend on the record',
    ],
    remedy: 'correct /limit (query), then send the request again',
    next: 'api-logs list --status 400 --method GET --path /payment-methods --pointer /limit',
  },
  'a limit that is too large, of a vague type': {
    causes: [
      'a value is outside the limits that its detail gives; the limits of an amount depend on the record',
    ],
    remedy: 'correct /limit (query), then send the request again',
    next: 'api-logs list --status 400 --method GET --path /buyers --pointer /limit',
  },
  'a wrong type': {
    causes: ['a value has the wrong type, such as a string instead of a number'],
    remedy: 'correct /cart_items/0/quantity (body), then send the request again',
    next: "api-logs list --status 400 --method PUT --path '/checkout/sessions/{checkout_session_id}' --pointer '/cart_items/*/quantity'",
  },
  'a value that is not allowed': {
    causes: ['the API does not allow a value, or does not know a field'],
    remedy: 'correct /action (query), then send the request again',
    next: 'api-logs list --status 400 --method GET --path /audit-logs --pointer /action',
  },
  'a wrong content type': {
    causes: ['the Content-Type header does not name a media type that the API supports'],
    remedy: 'send the header "Content-Type: application/json"',
    next: "api-logs list --status 400 --method PUT --path '/checkout/sessions/{checkout_session_id}' --pointer /content-type",
  },
  'a wrong content type, in the message': {
    causes: ['the Content-Type header does not name a media type that the API supports'],
    remedy: 'send the header "Content-Type: application/json"',
  },
  'a body that is no JSON': {
    causes: ['the body is not valid JSON'],
    remedy: 'check the body with a JSON parser, then send the request again',
  },
  'a foreign cursor': {
    causes: ['the cursor is not from this list, or it is no longer valid'],
    remedy: 'begin again with the first page, without a cursor',
    next: 'api-logs list --status 400 --method GET --path /buyers --pointer /cursor',
  },
  'an unknown merchant account': {
    causes: [
      'the service does not know the merchant account of the request, or the token has no access to it',
    ],
    remedy: 'correct the merchant account ID that the request names',
  },
  'a reused idempotency key, as a 400': {
    causes: ['the idempotency key was already used for another request; each request needs its own key'],
    remedy: 'send this request with a new key',
  },
  'a 400 that names nothing': {
    causes: ['the request breaks a rule that the service does not name'],
    remedy: 'compare the request with the description of the operation',
  },
  'details of an unknown type': {
    causes: ['a field of the request is missing or invalid; each detail gives its JSON pointer'],
    remedy: 'correct /metadata (body), then send the request again',
    next: "api-logs list --status 400 --method PUT --path '/checkout/sessions/{checkout_session_id}' --pointer /metadata",
  },
  'no token': {
    causes: ['the request had no bearer token'],
    remedy: 'send the header "Authorization: Bearer TOKEN"',
    next: 'doctor',
  },
  'an expired token': {
    causes: ['the token had expired'],
    remedy:
      'sign a new token; if it was new, set the clock of the machine that signs tokens, or give them a longer life',
    next: 'doctor',
  },
  'a token of the future': {
    causes: ['the token was not valid yet'],
    remedy: 'set the clock of the machine that signs tokens',
    next: 'doctor',
  },
  'a token without expiry': {
    causes: ['the token has no expiry time that the service accepts'],
    remedy: 'sign it with the claim exp',
    next: 'doctor',
  },
  'an unknown key': {
    causes: [
      'the service does not know the key of the token: it was deleted, or it belongs to another environment',
    ],
    remedy: 'compare its key ID with the keys of this environment: payctl auth inspect FILE',
    next: 'doctor',
  },
  'a revoked key, in the message': {
    causes: [
      'the service does not know the key of the token: it was deleted, or it belongs to another environment',
    ],
    remedy: 'compare its key ID with the keys of this environment: payctl auth inspect FILE',
    next: 'doctor',
  },
  'a wrong signature': {
    causes: ['the signature does not fit the key that the token names'],
    remedy: 'sign with the private key that belongs to the key ID of the token',
    next: 'doctor',
  },
  'a damaged token': {
    causes: ['the token is damaged, or no key that the service knows has signed it'],
    remedy: 'find out what is wrong with it: payctl auth inspect FILE',
    next: 'doctor',
  },
  'a token of another instance': {
    causes: ['the token is for another instance or environment of the service'],
    remedy: 'use the key of this environment, or send the request to the environment of the key',
    next: 'doctor',
  },
  'a 401 that names nothing': {
    causes: ['the service does not accept the token'],
    remedy: 'find out what is wrong with it: payctl auth inspect FILE',
    next: 'doctor',
  },
  'a missing scope': {
    causes: ['the token lacks the scope transactions.write, which this request needs'],
    next: 'doctor',
  },
  'a missing scope, on a path of no contract': {
    causes: ['the token lacks the scope that the message names'],
    next: 'doctor',
  },
  'a key of one merchant account': {
    causes: ['the API key is restricted to one merchant account, which the message names'],
    remedy: 'send the request for that merchant account, or use a key that is not restricted to it',
    next: 'doctor -m outlet',
  },
  'a key of one account, in other words': {
    causes: ['the API key is restricted to one merchant account, which the message names'],
    remedy: 'send the request for that merchant account, or use a key that is not restricted to it',
    next: 'doctor -m shop.one',
  },
  'a restricted key': {
    causes: ['the API key is restricted; other scopes would not help'],
    remedy: 'use another key, or ask the administrator of the key to lift the restriction',
    next: 'doctor',
  },
  'a locked session': {
    causes: ['the resource is locked; other scopes would not help'],
    remedy: 'find out what locked it, such as a payment that is under way, or use another resource',
  },
  'an IP address': {
    causes: ['the service does not accept requests from this IP address'],
    remedy: 'ask the administrator of the API key to allow the address',
  },
  'a 403 that names nothing': {
    causes: [
      'the token lacks the scope gift-cards.read or embed, which this request needs',
      'the API key may be restricted, or the resource may be locked',
    ],
    next: 'doctor',
  },
  'the page of a firewall': {
    causes: ['a proxy, a firewall or another server responded with a web page instead of the service'],
    remedy: 'read the page, and check the base URL and the proxy',
    next: 'doctor',
  },
  'an unknown buyer': {
    causes: ['the resource does not exist, or you have no access to it (the service does not say which)'],
  },
  'an expired session': {
    causes: [
      'the session may have expired; by default, a checkout session lives for 1 hour',
      'the resource does not exist, or you have no access to it (the service does not say which)',
    ],
  },
  'an expired session, in the message': {
    causes: ['the checkout session has expired; by default, it lives for 1 hour'],
    remedy: 'create a new checkout session',
  },
  'a misspelled path': {
    causes: ['the API has no such path; the nearest one is /buyers'],
    remedy: 'correct the path or the base URL of the request',
    next: 'api show GET /buyers',
  },
  'a path with another separator': {
    causes: ['the API has no such path; the nearest one is /checkout/sessions/{checkout_session_id}'],
    remedy: 'correct the path or the base URL of the request',
    next: "api show GET '/checkout/sessions/{checkout_session_id}'",
  },
  'a path below another base': {
    causes: ['the API has no such path; the nearest one is /roles'],
    remedy: 'correct the path or the base URL of the request',
    next: 'api show GET /roles',
  },
  'a path with a slash at its end': {
    causes: ['the API has no such path; the nearest one is /buyers/{buyer_id}/shipping-details'],
    remedy: 'correct the path or the base URL of the request',
    next: "api show POST '/buyers/{buyer_id}/shipping-details'",
  },
  'a path of no contract': {
    causes: [
      'the API description that is part of payctl has no such path',
      'the resource does not exist, or you have no access to it (the service does not say which)',
    ],
    remedy: 'correct the path or the base URL of the request',
    next: 'api list',
  },
  'an unknown merchant account, as a 404': {
    causes: [
      'the service does not know the merchant account of the request, or the token has no access to it',
    ],
    remedy: 'correct the merchant account ID that the request names',
  },
  'a wrong method': {
    causes: ['the path supports only GET'],
    remedy: 'use GET',
    next: 'api show GET /buyers/gift-cards',
  },
  'a wrong method, where there are two': {
    causes: ['the path supports only GET and PUT'],
    remedy: 'use GET or PUT',
    next: "api show GET '/checkout/sessions/{checkout_session_id}'",
  },
  'a wrong method on a misspelled path': {
    causes: ['the API has no such path; the nearest one is /digital-wallets'],
    remedy: 'correct the path or the base URL of the request',
    next: 'api show GET /digital-wallets',
  },
  'a method that the contract has': {
    causes: ['the method, the path or the base URL is wrong'],
  },
  'a duplicate with its record': {
    causes: ['a record with this value already exists; the same request may have been sent twice'],
    next: 'checkout-sessions get s-2',
  },
  'a duplicate, in the message': {
    causes: ['a record with this value already exists; the same request may have been sent twice'],
  },
  'a reused idempotency key': {
    causes: ['the idempotency key was already used for another request; each request needs its own key'],
    remedy: 'send this request with a new key',
  },
  'a request that is still processed': {
    causes: ['a request with the same idempotency key is still being processed'],
    remedy: 'wait until it finishes, then send this request again with the same key',
  },
  'a 409 that names nothing': {
    causes: [
      'a record with this value already exists; the same request may have been sent twice',
      'the idempotency key was already used for another request; each request needs its own key',
    ],
  },
  'a changed resource': {
    causes: ['the resource was changed after it was read'],
    remedy: 'read it again, and repeat the change with its new ETag',
  },
  'a body that is too large': {
    causes: ['the body is larger than the service or a gateway in front of it allows'],
    remedy: 'send less data in one request',
  },
  'an unsupported media type': {
    causes: ['the Content-Type header does not name a media type that the API supports'],
    remedy: 'send the header "Content-Type: application/json"',
  },
  'a 422 of a wrong type': {
    causes: ['a value has the wrong type, such as a string instead of a number'],
    remedy: 'correct /limit (query), then send the request again',
    next: 'api-logs list --status 422 --method GET --path /roles --pointer /limit',
  },
  'a 422 of several causes': {
    causes: [
      'a required field is missing',
      'a value is outside the limits that its detail gives; the limits of an amount depend on the record',
    ],
    remedy: 'correct /a (body), /b (body), /c (body), then send the request again',
    next: "api-logs list --status 422 --method POST --path '/buyers/{buyer_id}/shipping-details' --pointer /a",
  },
  'a 422 of an unknown type': {
    causes: ['a value of the request is missing or invalid; each detail says where and why'],
    remedy: 'correct /a (body), then send the request again',
    next: "api-logs list --status 422 --method POST --path '/buyers/{buyer_id}/shipping-details' --pointer /a",
  },
  'a 422 of a body that is no JSON': {
    causes: ['the body is not valid JSON'],
    remedy: 'check the body with a JSON parser, then send the request again',
    next: "api-logs list --status 422 --method POST --path '/buyers/{buyer_id}/shipping-details' --pointer '/*'",
  },
  'a request that is too early': {
    causes: ['the service was not ready for the request yet'],
    remedy: 'wait a while, then try again',
    next: 'api-logs summary --status 425,429 --by hour',
  },
  'too many requests': {
    causes: ['the service is limiting requests'],
    remedy: 'wait a while, then try again',
    next: 'api-logs summary --status 425,429 --by hour',
  },
  'a failure of the service': {
    causes: ['the service is having problems'],
    remedy: 'try again later',
    next: 'api-logs summary --status 5xx --by hour',
  },
  'a failure of the service at a change': {
    causes: [
      'the service is having problems',
      'the service may have processed the request although it failed: its outcome is unknown',
    ],
    remedy: 'find out whether the request was processed before you send it again',
    next: 'api-logs summary --status 5xx --by hour',
  },
  'a bad gateway': {
    causes: ['a server behind the gateway of the service failed or could not be reached'],
    remedy: 'try again later',
    next: 'api-logs summary --status 5xx --by hour',
  },
  'a payment service that fails': {
    causes: [
      'the payment service that the session is for failed or did not respond in time',
      'the service may have processed the request although it failed: its outcome is unknown',
    ],
    remedy: 'find out whether the request was processed before you send it again',
    next: 'api-logs summary --status 5xx --by hour',
  },
  maintenance: {
    causes: ['the service is down for maintenance'],
    remedy: 'try again when the maintenance is over',
    next: 'api-logs summary --status 5xx --by hour',
  },
  'an overload': {
    causes: ['the service is overloaded, or down for maintenance'],
    remedy: 'try again later',
    next: 'api-logs summary --status 5xx --by hour',
  },
  'the page of a gateway': {
    causes: ['a server behind the gateway of the service did not respond in time'],
    remedy: 'try again later',
    next: 'api-logs summary --status 5xx --by hour',
  },
  'a payment service that is slow': {
    causes: [
      'the payment service that the session is for failed or did not respond in time',
      'the service may have processed the request although it failed: its outcome is unknown',
    ],
    remedy: 'find out whether the request was processed before you send it again',
    next: 'api-logs summary --status 5xx --by hour',
  },
  'a change that timed out': {
    causes: [
      'a server behind the gateway of the service did not respond in time',
      'the service may have processed the request although it failed: its outcome is unknown',
    ],
    remedy: 'find out whether the request was processed before you send it again',
    next: 'api-logs summary --status 5xx --by hour',
  },
  'a request that timed out': {
    causes: [
      'the request arrived too slowly, or its connection was lost',
      'the service may have processed the request although it failed: its outcome is unknown',
    ],
    remedy: 'find out whether the request was processed before you send it again',
  },
  'a sign-in of the network': {
    causes: ['the network requires you to sign in'],
    remedy: 'open a browser',
  },
  'a status of no specification': {
    causes: [
      'a server in front of the service may have sent this status, which the specification does not list',
    ],
    remedy: 'look at the body of the response',
  },
  'a status of the service that is not listed': {
    causes: ['the service is having problems'],
    remedy: 'try again later',
    next: 'api-logs summary --status 5xx --by hour',
  },
};

const entryOf = ({ method, path, status, body }: Sample) =>
  readEntry({
    request_method: method,
    request_url: `https://h${path}`,
    response_status_code: status,
    response_body: body,
  });

const alike = ({ method, path, status }: Sample) => {
  const template = path
    .replace(/\/b-1\/.*/, '/{buyer_id}/shipping-details')
    .replace(/\/s-1$/, '/{checkout_session_id}');
  const quoted = template === path ? path.replace(/\?.*/, '') : `'${template}'`;
  return `api-logs list --status ${status} --method ${method} --path ${quoted}`;
};

const samples = Object.entries(SAMPLES);
const expectedOf = (name: string) => EXPECTED[name] ?? EXPECTED[name.split(', ')[0] ?? ''];

describe('the explanation of a failed request', () => {
  it.each(samples)('names the cause, what to do and the next command: %s', (name, sample) => {
    const { causes, remedy, commands } = explanationOf(entryOf(sample));
    expect({ causes, remedy, next: commands[0] }).toEqual({
      remedy: undefined,
      next: alike(sample),
      ...expectedOf(name),
    });
  });

  it('is known for every status and every code of the specification', () => {
    const known = samples.map(([, { status, body }]) =>
      [status, (body as { code?: string } | null)?.code].join(' '),
    );
    expect(known).toEqual(
      expect.arrayContaining([
        '400 bad_request',
        '401 unauthorized',
        '403 forbidden',
        '404 not_found',
        '405 method_not_allowed',
        '409 duplicate_record',
        '422 ',
        '425 too_early',
        '429 too_many_requests',
        '500 server_error',
        '502 bad_gateway',
        '504 gateway_timeout',
      ]),
    );
  });
});

/** The error that a command prints for the same response, where nothing is known about its token. */
const adviceOn = ({ method, path, status, body }: Sample) =>
  adviceFor(
    readApiError({
      text: typeof body === 'string' ? body : JSON.stringify(body),
      status,
      requestId: undefined,
      headers: {},
      request: { method, path, origin: 'https://h' },
      attempts: 1,
    }),
    undefined,
  );

describe('the error that a command prints', () => {
  const WITH_DETAILS =
    /^(?:a (?:missing field|wrong (?:format|type)|text that|limit that|value that)|details of|a 422 of (?!a body))/;

  it.each(samples.filter(([name]) => !WITH_DETAILS.test(name)))(
    'names the same cause as the explanation of its log entry: %s',
    (name, sample) => {
      const [cause = '-'] = expectedOf(name)?.causes ?? [];
      const [printed = ''] = adviceOn(sample).probably ?? [];
      expect(printed.startsWith(cause), printed).toBe(true);
    },
  );

  it.each(samples.filter(([name]) => WITH_DETAILS.test(name)))(
    'names no cause where its details say what is wrong: %s',
    (_, sample) => expect(adviceOn(sample)).toEqual({}),
  );
});
