import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answer, document, type Json } from '../../descriptions/describe.ts';
import { importedForAll, runImported } from './run-imported.ts';

const integer = { type: 'integer' };
const text = { type: 'string' };
const object = (properties: Json) => ({ type: 'object', properties });
const record = object({ id: text, amount: integer, currency: text });
const id = { name: 'transaction_id', in: 'path', required: true, schema: text };
const change = (operationId: string, properties: Json, more: Json = {}): Json => ({
  operationId,
  requestBody: { content: { 'application/json': { schema: object(properties) } } },
  responses: answer(record, '201'),
  ...more,
});
const described = importedForAll(
  document({
    '/transactions': {
      get: {
        operationId: 'list_transactions',
        parameters: ['amount_gte', 'amount[lte]', 'count_gte', 'limit_amount'].map((name) => ({
          name,
          in: 'query',
          schema: name === 'limit_amount' ? { type: 'number' } : integer,
        })),
        responses: answer(object({ items: { type: 'array', items: record } })),
      },
      post: change('create_transaction', {
        amount: integer,
        currency: text,
        rate: { type: 'number' },
        price: text,
        count: integer,
        total: object({ value: integer, currency_code: text }),
        lines: { type: 'array', items: object({ unit_amount: integer, currency: text }) },
      }),
    },
    '/transactions/{transaction_id}': {
      parameters: [id],
      get: { operationId: 'get_transaction', responses: answer(record) },
    },
    '/transactions/{transaction_id}/refunds': {
      parameters: [id],
      post: change(
        'create_refund',
        { amount: integer },
        { parameters: [{ name: 'currency', in: 'query', schema: text }] },
      ),
    },
    '/payouts/{payout_id}/cancel': {
      parameters: [{ ...id, name: 'payout_id' }],
      post: change('cancel_payout', { amount: integer }),
    },
    '/charges': {
      post: {
        operationId: 'create_charge',
        requestBody: {
          content: {
            'application/x-www-form-urlencoded': { schema: object({ amount: integer, currency: text }) },
          },
        },
        responses: answer(record, '201'),
      },
    },
  }),
);

const made = { status: 201, body: { id: 'r1' } };
const create = ['transactions', 'create'];
const refund = ['api', 'call', 'create_refund', 't-1'];
const read = (body: Json) => ({ status: 200, body });

describe('an amount with its currency', () => {
  it.each([
    [['-F', 'amount=5.00EUR', '-F', 'currency=EUR'], '{"amount":500,"currency":"EUR"}'],
    [['-F', 'currency=eur', '-F', 'amount=EUR 5'], '{"currency":"eur","amount":500}'],
    [['--data', '{"amount":"1.234 BHD","currency":"BHD"}'], '{"amount":1234,"currency":"BHD"}'],
    [['-F', 'amount:="5JPY"', '-F', 'currency=JPY'], '{"amount":5,"currency":"JPY"}'],
    [
      ['-F', 'total.value=5.00EUR', '-F', 'total.currency_code=EUR'],
      '{"total":{"value":500,"currency_code":"EUR"}}',
    ],
    [
      [
        '--data',
        '{"currency":"EUR","lines":[{"unit_amount":"1.50EUR"},{"unit_amount":"7JPY","currency":"JPY"}]}',
      ],
      '{"currency":"EUR","lines":[{"unit_amount":150},{"unit_amount":7,"currency":"JPY"}]}',
    ],
    [
      ['-F', 'amount=90071992547409.93EUR', '-F', 'currency=EUR', '--no-validate'],
      '{"amount":9007199254740993,"currency":"EUR"}',
    ],
    // Where the schema takes a text, it is one.
    [['-F', 'price=5.00EUR', '-F', 'currency=USD'], '{"price":"5.00EUR","currency":"USD"}'],
  ])('is sent in minor units: %j', async (flags, body) => {
    const done = await runImported([...create, ...flags], described, { script: [made] });
    expect(done).toMatchObject({ code: 0, sent: [['POST', '/transactions', body]] });
  });

  it.each([
    [
      ['--amount-gte', '400.00EUR', '--amount-lte=7JPY'],
      '/transactions?amount_gte=40000&amount%5Blte%5D=7',
      '--amount-gte 400.00EUR is 40000.\n--amount-lte 7JPY is 7.\n',
    ],
    [['--amount-gte', '400', '--count-gte', '2'], '/transactions?amount_gte=400&count_gte=2', ''],
  ])('is a filter in minor units: %j', async (flags, path, stderr) => {
    const script = [{ body: { items: [{ id: 't' }] } }];
    const done = await runImported(['transactions', 'list', ...flags], described, { script });
    expect(done).toMatchObject({ code: 0, stderr, sent: [['GET', path]] });
  });

  it.each([
    [
      ['--amount-gte', '400.00'],
      '--amount-gte must be a whole number in minor units, or an amount with its currency, not "400.00" (bad_flag)\nFor example, 400.00 EUR is --amount-gte 40000 or --amount-gte 400.00EUR.',
    ],
    [
      ['--amount-lte', '7.5JPY'],
      '--amount-lte cannot be "7.5JPY", which has 1 decimal, and JPY has none (bad_flag)\nFor example, 5 JPY is --amount-lte 5 or --amount-lte 5JPY.',
    ],
    [['--count-gte', '5EUR'], '--count-gte must be a whole number, not "5EUR" (bad_flag)'],
    [['--limit-amount', '5EUR'], '--limit-amount must be a number, not "5EUR" (bad_flag)'],
  ])('is refused as a filter that is not exact: %j', async (flags, error) => {
    expect(await runImported(['transactions', 'list', ...flags], described)).toMatchObject({
      stdout: '',
      stderr: `Error: ${error}\n`,
      code: 2,
      sent: [],
    });
  });

  it('is in the help of a filter', async () => {
    const { stdout } = await runImported(['transactions', 'list', '--help'], described);
    const flat = stdout.replaceAll(/\s+/g, ' ');
    const unit = 'In minor units, such as 40000, or with its currency: 400.00EUR.';
    expect(flat).toContain(`--amount-gte N Parameter amount_gte of the request. ${unit}`);
    expect(flat).toContain('--count-gte N Parameter count_gte of the request. --');
  });

  it('is sent in minor units in a form', async () => {
    const flags = ['-F', 'amount=5.00EUR', '-F', 'currency=eur', '-o', 'json'];
    const done = await runImported(['charges', 'create', ...flags], described, { script: [made] });
    expect(done).toMatchObject({ code: 0, sent: [['POST', '/charges', 'amount=500&currency=eur']] });
  });

  it('says what it is', async () => {
    const flags = ['-F', 'amount=5.00EUR', '-F', 'currency=EUR'];
    const done = await runImported([...create, ...flags], described, { script: [made] });
    expect(done).toMatchObject({ code: 0, stderr: '/amount: 5.00EUR is sent as 500.\n' });
  });

  it.each([
    [
      ['-F', 'amount=25.00'],
      'amount must be a whole number in minor units, or an amount with its currency, not "25.00" (bad_field)\nFor example, 25.00 EUR is amount=2500 or amount=25.00EUR.',
    ],
    [
      ['-F', 'amount=5e2', '-F', 'currency=EUR'],
      'amount must be a whole number in minor units, or an amount with its currency, not "5e2" (bad_field)\nFor example, 5.00 EUR is amount=500 or amount=5.00EUR.',
    ],
    [
      ['-F', 'amount=5.00', '-F', 'currency=JPY'],
      'amount must be a whole number in minor units, or an amount with its currency, not "5.00" (bad_field)\nFor example, 5 JPY is amount=5 or amount=5JPY.',
    ],
    [
      ['--data', '{"currency":"KWD"}', '-F', 'lines[].unit_amount=5.00'],
      'lines[].unit_amount must be a whole number in minor units, or an amount with its currency, not "5.00" (bad_field)\nFor 5.000 KWD, use lines[].unit_amount=5000 or lines[].unit_amount=5.000KWD.',
    ],
    [
      ['-F', 'lines[0].unit_amount=5.00kwd'],
      'lines[0].unit_amount cannot be "5.00kwd", which writes the currency as kwd instead of KWD (bad_field)\nFor 5.000 KWD, use lines[0].unit_amount=5000 or lines[0].unit_amount=5.000KWD.',
    ],
    [
      ['-F', 'amount=5.00JPY', '-F', 'currency=JPY'],
      'amount cannot be "5.00JPY", which has 2 decimals, and JPY has none (bad_field)\nFor example, 5 JPY is amount=5 or amount=5JPY.',
    ],
    [
      ['-F', 'amount=1,000.00EUR', '-F', 'currency=EUR'],
      'amount cannot be "1,000.00EUR", which has a comma or a thousands separator; use a decimal point and no thousands separators (bad_field)\nFor example, 5.00 EUR is amount=500 or amount=5.00EUR.',
    ],
    [
      ['--data', '{"amount":5.00,"currency":"KWD"}'],
      'The request body is not valid: /amount must be an integer in digits only, not 5.00 (bad_body)\nNothing was sent. Amounts are in minor units. For 5.000 KWD, use 5000 or "5.000KWD". To see what the body can hold: payctl api show create_transaction',
    ],
    [
      ['--data', '{"amount":"5.00"}'],
      'The request body is not valid: /amount must be an integer in digits only, not a string (bad_body)\nNothing was sent. Amounts are in minor units. For example, 5.00 EUR is 500 or "5.00EUR". To see what the body can hold: payctl api show create_transaction',
    ],
    [
      ['--data', '{"amount":"-0.00EUR","currency":"EUR"}'],
      'The request body is not valid: /amount cannot be "-0.00EUR", which is a negative zero (bad_body)\nNothing was sent.',
    ],
    [
      ['-F', 'amount=5.00EUR', '-F', 'currency=USD'],
      'The request body is not valid: /amount is in EUR, but the request says USD (bad_body)\nNothing was sent.',
    ],
    [
      ['-F', 'amount=5.00EUR'],
      'The request body is not valid: /amount is in EUR, but the request names no currency (bad_body)\nNothing was sent. Name the currency in the request, if it takes one, or use minor units: 500',
    ],
    [['-F', 'count=5.00EUR'], 'count must be a whole number, not "5.00EUR" (bad_field)'],
    [
      ['-F', 'rate=5.00EUR'],
      'rate must be a number, not "5.00EUR" (bad_field)\nWrite the number alone: 5.00',
    ],
  ])('is refused before anything is sent, with --no-validate, too: %j', async (flags, message) => {
    for (const more of [[], ['--no-validate']]) {
      const failed = await runImported([...create, ...flags, ...more], described);
      expect(failed).toEqual(
        expect.objectContaining({ stdout: '', stderr: `Error: ${message}\n`, code: 2, sent: [] }),
      );
    }
  });
});

describe('an amount that only some branches of a schema describe', () => {
  const paid = object({ amount: integer, currency: text });
  const iban = object({ iban: text });
  const kinds = {
    oneOf: [
      { ...paid, required: ['card'] },
      { ...object({ amount: { type: 'number' }, iban: text }), required: ['iban'] },
    ],
  };
  const schemas: Readonly<Record<string, Json>> = {
    inner: object({ u: { anyOf: [paid, iban] } }),
    root: { anyOf: [paid, iban] },
    lax: { oneOf: [{ ...paid, required: ['currency'] }, iban] },
    conditional: Object.fromEntries([
      ['if', { required: ['kind'] }],
      ['then', paid],
    ]),
    dependent: { type: 'object', dependentSchemas: { currency: paid } },
    pattern: { type: 'object', patternProperties: { amount$: integer } },
    kinds,
  };
  const unions = importedForAll(
    document(
      Object.fromEntries(
        Object.entries(schemas).map(([name, schema]) => [
          `/${name}`,
          {
            post: {
              operationId: `create_${name}`,
              requestBody: { content: { 'application/json': { schema } } },
              responses: answer(record, '201'),
            },
          },
        ]),
      ),
    ),
  );

  it.each([
    ['inner', '{"u":{"amount":5.00,"currency":"EUR"}}', '/u/amount'],
    ['root', '{"amount":5.00,"currency":"EUR"}', '/amount'],
    ['lax', '{"amount":5.00}', '/amount'],
    ['conditional', '{"amount":5e2,"currency":"EUR"}', '/amount'],
    ['dependent', '{"amount":5.00}', '/amount'],
    ['pattern', '{"unit_amount":5.00}', '/unit_amount'],
    ['kinds', '{"amount":5.00,"card":"x"}', '/amount'],
  ])('is an integer where one says so and none says number: %s %s', async (path, data, pointer) => {
    for (const more of [[], ['--no-validate']]) {
      const failed = await runImported(['api', 'post', `/${path}`, '--data', data, ...more], unions);
      expect(failed).toMatchObject({ stdout: '', code: 2, sent: [] });
      expect(failed.stderr).toContain(`${pointer} must be an integer in digits only, not 5`);
    }
  });

  it.each([
    ['inner', '{"u":{"amount":500}}'],
    ['kinds', '{"amount":5.00,"iban":"x"}'],
  ])('is sent as the schema has it: %s %s', async (path, data) => {
    const done = await runImported(['api', 'post', `/${path}`, '--data', data], unions, { script: [made] });
    expect(done).toMatchObject({ code: 0, sent: [['POST', `/${path}`, data]] });
  });
});

describe('an amount of a request that no description has', () => {
  const why = 'no description says in which unit the service takes it (bad_body)';

  it.each([
    '/transactions/t-1/refunds/',
    '/TRANSACTIONS/t-1/Refunds',
    '/transactions//t-1/refunds',
    '/transactions/t-1/%52efunds',
  ])('is that of the operation whose path differs in slashes or case: %s', async (path) => {
    const argv = ['api', 'post', path, '--scope', 'a.write', '-o', 'json', '-F'];
    const failed = await runImported([...argv, 'amount=5.00'], described);
    expect(failed).toMatchObject({ stdout: '', code: 2, sent: [] });
    expect(failed.stderr).toContain('amount must be a whole number in minor units');
    const done = await runImported([...argv, 'amount=500'], described, { script: [made] });
    expect(done).toMatchObject({ code: 0, sent: [['POST', path, '{"amount":500}']] });
  });

  it.each([
    [['-F', 'amount=5.00'], '5.00', 'For example, 5.00 EUR is 500.'],
    [['-F', 'amount:=5.00', '-F', 'currency=JPY'], '5.00', 'For example, 5 JPY is 5.'],
    [['--data', '{"lines":[{"unit_amount":5e2}]}'], '5e2', 'For example, 5.00 EUR is 500.'],
    [['-F', 'amount=5.00EUR'], 'a string', 'For 5.00 EUR, use 500.'],
  ])('is not sent in the major unit, with --no-validate, too: %j', async (flags, given, hint) => {
    for (const more of [[], ['--no-validate']]) {
      const argv = ['api', 'post', '/elsewhere', '--scope', 'a.write', ...flags, ...more];
      const failed = await runImported(argv, described);
      expect(failed).toMatchObject({ stdout: '', code: 2, sent: [] });
      expect(failed.stderr).toContain(`must be an integer in digits only, not ${given}: ${why}\n`);
      expect(failed.stderr).toContain(`\nNothing was sent. Amounts are in minor units. ${hint}\n`);
    }
  });

  it('is sent as an integer, and any other number as it was written', async () => {
    const argv = ['api', 'post', '/elsewhere', '--scope', 'a.write', '-o', 'json'];
    const fields = ['-F', 'amount=500', '-F', 'rate=5.00', '-F', 'price:="5.00"'];
    const done = await runImported([...argv, ...fields], described, { script: [made] });
    const body = '{"amount":500,"rate":5.00,"price":"5.00"}';
    expect(done).toMatchObject({ code: 0, sent: [['POST', '/elsewhere', body]] });
  });
});

describe('an amount whose currency the body does not name', () => {
  const reads = ['GET', '/transactions/t-1'];
  const flags = ['-F', 'amount=5.00EUR'];

  it.each([
    ['currency', { id: 't-1', amount: 900, currency: 'EUR' }],
    ['currency in small letters', { id: 't-1', currency: 'eur' }],
    ['only currency', { amount: { value: 900, currencyCode: 'EUR' }, fee: { value: 1, currency: 'EUR' } }],
  ])('is compared with the %s of the record', async (_, body) => {
    const done = await runImported([...refund, ...flags], described, { script: [read(body), made] });
    const sent = [reads, ['POST', '/transactions/t-1/refunds', '{"amount":500}']];
    expect(done).toMatchObject({ code: 0, sent });
  });

  it('is compared with a parameter of the request', async () => {
    const done = await runImported([...refund, ...flags, '--currency', 'EUR'], described, { script: [made] });
    expect(done).toMatchObject({
      code: 0,
      sent: [['POST', '/transactions/t-1/refunds?currency=EUR', '{"amount":500}']],
    });
    const failed = await runImported([...refund, ...flags, '--currency', 'USD'], described);
    expect(failed).toMatchObject({ code: 2, sent: [] });
    expect(failed.stderr).toContain('/amount is in EUR, but the request says USD');
  });

  it('is compared by api post, too', async () => {
    const argv = ['api', 'post', '/transactions/t-1/refunds?x=1', ...flags, '-o', 'json'];
    const done = await runImported(argv, described, { script: [read({ currency: 'EUR' }), made] });
    expect(done).toMatchObject({
      code: 0,
      sent: [reads, ['POST', '/transactions/t-1/refunds?x=1', '{"amount":500}']],
    });
  });

  it('is compared with --dry-run, which sends nothing else', async () => {
    const done = await runImported([...refund, ...flags, '--dry-run', '-o', 'json'], described, {
      script: [read({ currency: 'EUR' })],
    });
    expect(done).toMatchObject({ code: 0, sent: [reads] });
    expect(JSON.parse(done.stdout)).toMatchObject({ body: { amount: 500 } });
  });

  it('is shown in both units with --dry-run, where people read it', async () => {
    const done = await runImported([...refund, ...flags, '--dry-run', '-o', 'table'], described, {
      script: [read({ currency: 'EUR' })],
    });
    expect(done).toMatchObject({ code: 0, stderr: '/amount: 5.00EUR is sent as 500.\n' });
    expect(done.stdout).toMatch(/\n\n\{"amount":500\}\n\namount {2}500 \(5\.00 EUR\)\n$/);
  });

  it.each([
    ['reads the record on a terminal', { columns: 80 }, [reads], true],
    ['reads nothing in a pipe', {}, [], false],
  ])('as an integer with --dry-run %s', async (_, terminal, sent, isShown) => {
    const argv = [...refund, '-F', 'amount=500', '--dry-run', '-o', 'detail'];
    const script = [read({ currency: 'EUR' })];
    const done = await runImported(argv, described, { script, ...terminal });
    expect(done).toMatchObject({ code: 0, sent });
    expect(done.stdout.includes('amount  500 (5.00 EUR)')).toBe(isShown);
    const known = await runImported([...argv, '--currency', 'JPY'], described, terminal);
    expect(known).toMatchObject({ code: 0, sent: [] });
    expect(known.stdout).toContain('amount  500 (500 JPY)');
  });

  const other = 'Name the currency in the request, if it takes one, or use minor units: 500';
  it.each([
    ['in another currency', read({ currency: 'SEK' }), 'but the record "t-1" is in SEK', 'Nothing was sent.'],
    [
      'without a currency',
      read({ id: 't-1' }),
      'but neither the request nor the record "t-1" names a currency',
      `Nothing was sent. ${other}`,
    ],
    [
      'in several currencies',
      read({ paid: { amount: 1, currency: 'EUR' }, due: { amount: 1, currency: 'USD' } }),
      'but neither the request nor the record "t-1" names a currency',
      `Nothing was sent. ${other}`,
    ],
    [
      'that cannot be read',
      { status: 404, body: {} },
      'but the request names no currency, and the record "t-1" cannot be read',
      `Nothing was sent. ${other}`,
    ],
  ])('is refused for a record %s', async (_, first, problem, hint) => {
    const failed = await runImported([...refund, ...flags], described, { script: [first] });
    expect(failed).toMatchObject({ stdout: '', code: 2, sent: [reads] });
    expect(failed.stderr).toBe(
      `Error: The request body is not valid: /amount is in EUR, ${problem} (bad_body)\n${hint}\n`,
    );
  });

  it('is refused for a record that the description has no GET for', async () => {
    const failed = await runImported(['payouts', 'cancel', 'p-1', ...flags], described);
    expect(failed).toMatchObject({ code: 2, sent: [] });
    expect(failed.stderr).toContain('and the record "p-1" cannot be read');
  });

  it('is compared only if the rest of the body is valid', async () => {
    const failed = await runImported([...refund, ...flags, '-F', 'amuont=5'], described);
    expect(failed).toMatchObject({ code: 2, sent: [] });
    expect(failed.stderr).toContain('has the field /amuont, which is not in the description');
  });

  it('needs no record as an integer', async () => {
    const done = await runImported([...refund, '-F', 'amount=500'], described, { script: [made] });
    expect(done).toMatchObject({
      code: 0,
      stderr: '',
      sent: [['POST', '/transactions/t-1/refunds', '{"amount":500}']],
    });
  });
});

describe('--amounts major', () => {
  const item = object({ id: text, amount: integer, currency: text, fee: { type: 'number' } });
  const listed = importedForAll(
    document({
      '/payments': {
        get: {
          operationId: 'list_payments',
          responses: answer(object({ items: { type: 'array', items: item } })),
        },
      },
      '/payments/{payment_id}': {
        parameters: [{ ...id, name: 'payment_id' }],
        get: { operationId: 'get_payment', responses: answer(item) },
      },
    }),
  );
  const items = [
    { id: 'p1', amount: 33144, currency: 'EUR', fee: 3 },
    { id: 'p2', amount: -5, currency: 'jpy', fee: null },
    { id: 'p3', amount: 7, currency: 'BTC', fee: 0.5 },
    { id: 'p4', amount: null },
  ];
  const script = [read({ items })];
  const list = ['payments', 'list', '--amounts', 'major'];

  it('writes amounts with a column of their currency in csv', async () => {
    const done = await runImported([...list, '-o', 'csv', '--columns', 'id,amount'], listed, { script });
    expect(done).toMatchObject({
      code: 0,
      stdout:
        'id,amount,amount_currency\r\np1,331.44,EUR\r\np2,-5,JPY\r\np3,7 (unit unknown),BTC\r\np4,,\r\n',
    });
  });

  it('leaves amounts that are sent in the major unit as they are', async () => {
    const done = await runImported([...list, '-o', 'csv'], listed, { script });
    expect(done.stdout).toBe(
      'id,amount,amount_currency,currency,fee\r\np1,331.44,EUR,EUR,3\r\np2,-5,JPY,jpy,\r\np3,7 (unit unknown),BTC,BTC,0.5\r\np4,,,,\r\n',
    );
  });

  it('are told from those of the major unit in a detail, too', async () => {
    const one = read(items[0] ?? {});
    const done = await runImported(['payments', 'get', 'p1', '-o', 'detail'], listed, { script: [one] });
    expect(done.stdout).toBe('id        p1\namount    33144 (331.44 EUR)\ncurrency  EUR\nfee       3\n');
    const chosen = await runImported(['payments', 'list', '--columns', 'fee,amount'], listed, { script });
    expect(chosen.stdout).toBe(
      'FEE\tAMOUNT\n3 EUR\t331.44 EUR\n\t-5 JPY\n0.5 BTC\t7 BTC (unit unknown)\n\t\n',
    );
  });

  it('writes them in tables of chosen columns', async () => {
    const piped = await runImported([...list, '--columns', 'amount,id'], listed, { script });
    expect(piped.stdout).toBe(
      'AMOUNT\tCURRENCY\tID\n331.44\tEUR\tp1\n-5\tJPY\tp2\n7 (unit unknown)\tBTC\tp3\n\t\tp4\n',
    );
    const shown = await runImported([...list, '--columns', 'amount,id'], listed, { script, columns: 80 });
    expect(shown.stdout).toContain('          331.44  EUR       p1\n');
  });

  it('finds the currency of an amount in an object of its own', async () => {
    const money = object({ currency_code: text, value: integer });
    const paid = object({ id: text, amount: money, gross: object({ currency_code: text, value: text }) });
    const nested = importedForAll(
      document({
        '/payments': {
          get: {
            operationId: 'list_payments',
            responses: answer(object({ items: { type: 'array', items: paid } })),
          },
        },
      }),
    );
    const value = { id: 'p1', amount: { currency_code: 'KWD', value: 7 } };
    const gross = { currency_code: 'KWD', value: '0.007' };
    const done = await runImported([...list, '-o', 'csv'], nested, {
      script: [read({ items: [{ ...value, gross }] })],
    });
    expect(done.stdout).toBe(
      'id,amount.value,amount.value_currency,amount.currency_code,gross.value,gross.currency_code\r\np1,0.007,KWD,KWD,0.007,KWD\r\n',
    );
  });

  it.each([
    [[...list, '-o', 'json'], '--amounts major needs -o csv, or a table or markdown with --columns'],
    [list, '--amounts major needs -o csv, or a table or markdown with --columns'],
    [[...list, '-o', 'csv', '--jq', '.items'], '--amounts major and --jq cannot be used together'],
    [['api', 'get', '/payments/p1', '-o', 'csv', '--amounts', 'major'], '--amounts major is for lists'],
  ])('is refused before anything is sent: %j', async (argv, message) => {
    const failed = await runImported(argv, listed);
    expect(failed).toMatchObject({ stdout: '', code: 2, sent: [] });
    expect(failed.stderr).toContain(message);
  });
});

it('sends only what was typed, exactly, whatever is typed', async () => {
  const digits = fc.stringMatching(/^-?[0-9]{1,4}[.,]?[0-9]{0,3}$/);
  const amounts = fc.tuple(digits, fc.constantFrom('', 'EUR', ' EUR', 'eur', 'JPY', 'KWD', ' '));
  await fc.assert(
    fc.asyncProperty(amounts, async ([number, code]) => {
      const typed = `amount=${number}${code}`;
      const argv = [...create, '-F', typed, '-F', `currency=${code.trim() || 'EUR'}`];
      const { sent } = await runImported(argv, described, { script: [made] });
      const [whole = '', fraction = ''] = number.split('.');
      const decimals = { EUR: 2, JPY: 0, KWD: 3 }[code.trim()];
      if (sent.length === 0) return;
      if (decimals !== undefined) expect(fraction.length).toBeLessThanOrEqual(decimals);
      const minor = `${whole}${fraction.padEnd(decimals ?? 0, '0')}`.replace(/^(-?)0+(?=\d)/, '$1');
      expect(sent[0]?.[2]).toBe(`{"amount":${minor},"currency":"${code.trim() || 'EUR'}"}`);
    }),
    { numRuns: 40 },
  );
});
