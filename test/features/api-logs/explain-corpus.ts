/** One failed request as the service logs it. */
export type Sample = {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly body: unknown;
};

const CODES: Readonly<Record<number, readonly [code: string, message: string]>> = {
  400: ['bad_request', 'Generic error'],
  401: ['unauthorized', 'No valid API authentication found'],
  403: ['forbidden', 'Generic error'],
  404: ['not_found', 'The resource could not be found'],
  405: ['method_not_allowed', 'Method Not Allowed'],
  409: ['duplicate_record', 'Generic error'],
  425: ['too_early', 'Generic error'],
  429: ['too_many_requests', 'Generic error'],
  500: ['server_error', 'Request could not be processed'],
  502: ['bad_gateway', 'Request could not be processed'],
  504: ['gateway_timeout', 'Request could not be processed'],
};

const detail = (location: string, pointer: string, type: string, message: string) => ({
  type,
  pointer,
  message,
  location,
});

/** A response with the error object of its status; `more` replaces members of it. */
function failed(request: string, status: number, more: object = {}): Sample {
  const [method = '', path = ''] = request.split(' ');
  const [code = 'unlisted', message = 'Odd'] = CODES[status] ?? [];
  return { method, path, status, body: { type: 'error', code, status, message, details: [], ...more } };
}

function invalid(
  request: string,
  ...items: (readonly [loc: readonly unknown[], type: string, msg: string])[]
): Sample {
  const detail = items.map(([loc, type, msg]) => ({ loc, msg, type, input: 'x', ctx: {} }));
  return { ...failed(request, 422), body: { detail } };
}

const auth = (type: string, message: string) => ({
  details: [detail('header', '/authorization', type, message)],
});
const data = (pointer: string, type: string, message: string) => ({
  details: [detail('body', pointer, type, message)],
});
const says = (message: string) => ({ message });

const SHIPPING = 'POST /buyers/b-1/shipping-details';
const SESSION = 'PUT /checkout/sessions/s-1';
const PASSED_ON = 'POST /payment-service-definitions/acme/sessions';

/** Errors of every status and code, by what they are. */
export const SAMPLES: Readonly<Record<string, Sample>> = {
  'a missing field': failed(SHIPPING, 400, data('/last_name', 'value_error.missing', 'field required')),
  'a missing field, without a type': failed(SHIPPING, 400, data('/last_name', '', 'This field is required')),
  'a wrong format': failed(SHIPPING, 400, data('/phone_number', 'value_error.str.regex', 'must match ^x')),
  'a wrong format, of a vague type': failed(
    SHIPPING,
    400,
    data('/email_address', 'value_error', 'is not a valid email address'),
  ),
  'a text that is too long': failed(
    SHIPPING,
    400,
    data('/first_name', 'value_error.any_str.max_length', 'at most 255 characters'),
  ),
  'a limit that is too large': failed('GET /payment-methods?limit=500', 400, {
    details: [detail('query', '/limit', 'value_error.maximum', 'must be at most 100')],
  }),
  'a limit that is too large, of a vague type': failed('GET /buyers?limit=500', 400, {
    details: [detail('query', '/limit', 'value_error', 'must be at most 100')],
  }),
  'a wrong type': failed(
    SESSION,
    400,
    data('/cart_items/0/quantity', 'type_error.integer', 'must be an integer'),
  ),
  'a wrong type, of a vague type': failed(
    SESSION,
    400,
    data('/cart_items/0/quantity', 'value_error', 'must be an integer'),
  ),
  'a value that is not allowed': failed('GET /audit-logs?action=x', 400, {
    details: [detail('query', '/action', 'value_error.enum', 'must be one of created, updated')],
  }),
  'a wrong content type': failed(SESSION, 400, {
    details: [detail('header', '/content-type', 'value_error.content_type', 'must be application/json')],
  }),
  'a wrong content type, in the message': failed(
    SESSION,
    400,
    says('The Content-Type must be application/json'),
  ),
  'a body that is no JSON': failed(SESSION, 400, says('The request body is not valid JSON')),
  'a foreign cursor': failed('GET /buyers?cursor=x', 400, {
    details: [detail('query', '/cursor', 'value_error', 'is not a cursor of this list')],
  }),
  'an unknown merchant account': failed(
    'GET /buyers',
    400,
    says("The merchant account 'shop' was not found"),
  ),
  'a reused idempotency key, as a 400': failed(
    SHIPPING,
    400,
    says('The idempotency key was used with another body'),
  ),
  'a 400 that names nothing': failed(SESSION, 400),
  'details of an unknown type': failed(SESSION, 400, data('/metadata', 'value_error', 'no good')),
  'no token': failed('GET /api-logs', 401, auth('token_missing', 'the request has no bearer token')),
  'an expired token': failed('GET /buyers', 401, auth('token_expired', 'the token has expired')),
  'an expired token, of a vague type': failed(
    'GET /buyers',
    401,
    auth('token_invalid', 'The token has expired'),
  ),
  'an expired token, in the message': failed('GET /buyers', 401, says('Token expired at 10:00')),
  'a token of the future': failed('GET /buyers', 401, auth('token_not_yet_valid', 'not valid yet')),
  'a token without expiry': failed('GET /buyers', 401, auth('token_without_expiry', 'x')),
  'an unknown key': failed(
    'GET /buyers',
    401,
    auth('key_unknown', 'the token does not name a registered key'),
  ),
  'a revoked key, in the message': failed('GET /buyers', 401, says('The API key has been revoked')),
  'a wrong signature': failed('GET /buyers', 401, auth('signature_mismatch', 'x')),
  'a damaged token': failed('GET /buyers', 401, auth('token_invalid', 'the token cannot be read')),
  'a token of another instance': failed('GET /buyers', 401, says('The token is for another instance')),
  'a 401 that names nothing': failed('GET /buyers', 401),
  'a missing scope': failed(PASSED_ON, 403, says('This request requires the scope transactions.write')),
  'a missing scope, on a path of no contract': failed('GET /refunds', 403, says('Insufficient scopes')),
  'a key of one merchant account': failed(
    'GET /buyers',
    403,
    says('The API key that signed the token is restricted to the merchant account outlet'),
  ),
  'a key of one account, in other words': failed(
    'GET /buyers',
    403,
    says("Key restricted to the account 'shop.one'."),
  ),
  'a restricted key': failed('GET /buyers', 403, says('The API key that signed the token is restricted')),
  'a locked session': failed(SESSION, 403, says('The checkout session is locked')),
  'an IP address': failed('GET /buyers', 403, says('Your IP address is not allowed')),
  'a 403 that names nothing': failed('GET /buyers/gift-cards', 403),
  'the page of a firewall': { ...failed('GET /buyers', 403), body: '<!DOCTYPE html><title>Blocked</title>' },
  'an unknown buyer': failed(SHIPPING, 404),
  'an expired session': failed('GET /checkout/sessions/s-1', 404),
  'an expired session, in the message': failed(SESSION, 404, says('The session has expired')),
  'a misspelled path': failed('GET /buyer?limit=5', 404),
  'a path with another separator': failed('GET /checkout-sessions/s-1', 404),
  'a path below another base': failed('GET /v1/roles', 404),
  'a path with a slash at its end': failed('POST /buyers/b-1/shipping-details/', 404),
  'a path of no contract': failed('GET /transactions/t-1', 404),
  'an unknown merchant account, as a 404': failed('GET /buyers', 404, says('Unknown merchant account')),
  'a wrong method': failed('DELETE /buyers/gift-cards', 405),
  'a wrong method, where there are two': failed('PATCH /checkout/sessions/s-1', 405),
  'a wrong method on a misspelled path': failed('POST /digital-wallet', 405),
  'a method that the contract has': failed('GET /buyers', 405),
  'a duplicate with its record': failed(SESSION, 409, { resource_id: 's-2' }),
  'a duplicate, in the message': failed(
    SESSION,
    409,
    says("A record with the external_identifier 'a' already exists"),
  ),
  'a reused idempotency key': failed(SHIPPING, 409, says('The idempotency key was used for another request')),
  'a request that is still processed': failed(
    SHIPPING,
    409,
    says('A request with this idempotency key is in progress'),
  ),
  'a 409 that names nothing': failed(SESSION, 409),
  'a changed resource': failed(SESSION, 412),
  'a body that is too large': failed(SESSION, 413),
  'an unsupported media type': failed(SESSION, 415),
  'a 422 of a wrong type': invalid('GET /roles?limit=all', [
    ['query', 'limit'],
    'int_parsing',
    'must be an integer',
  ]),
  'a 422 of several causes': invalid(
    SHIPPING,
    [['body', 'a'], 'missing', 'Field required'],
    [['body', 'b'], 'string_too_long', 'x'],
    [['body', 'c'], 'missing', 'x'],
  ),
  'a 422 of an unknown type': invalid(SHIPPING, [['body', 'a'], 'value_error', 'Value error']),
  'a 422 of a body that is no JSON': invalid(SHIPPING, [['body', 1], 'json_invalid', 'JSON decode error']),
  'a request that is too early': failed(SESSION, 425),
  'too many requests': failed('GET /buyers', 429),
  'a failure of the service': failed('GET /digital-wallets', 500),
  'a failure of the service at a change': failed(SESSION, 500),
  'a bad gateway': failed('GET /buyers', 502),
  'a payment service that fails': failed(PASSED_ON, 502),
  maintenance: { ...failed('GET /buyers', 503), body: { message: 'Down for maintenance' } },
  'an overload': { ...failed('GET /buyers', 503), body: null },
  'the page of a gateway': { ...failed('GET /buyers', 504), body: '<html><title>Gateway Time-out</title>' },
  'a payment service that is slow': failed(PASSED_ON, 504),
  'a change that timed out': failed(SHIPPING, 504),
  'a request that timed out': { ...failed(SHIPPING, 408), body: null },
  'a sign-in of the network': { ...failed('POST /buyers/b-1/shipping-details', 511), body: '<html>' },
  'a status of no specification': { ...failed('GET /buyers', 418), body: null },
  'a status of the service that is not listed': { ...failed('GET /buyers', 507), body: null },
};
