import { describe, expect, it } from 'vitest';
import {
  isNameOfPerson,
  isRemark,
  lengthOfBare,
  rejectedName,
  sensitiveEnd,
  sensitivityOf,
} from '../../../../src/features/api-logs/report/sensitive-names.ts';

describe('the sensitivity of a member', () => {
  it.each([
    ['client_secret', ['', 'x', 5, null]],
    ['token', ['abc12', '12345', 5]],
    ['PHPSESSID', [`${'a'.repeat(200)}1`]],
  ])('%s is a secret', (name, values) => {
    expect(values.map((value) => sensitivityOf(name, value))).toEqual(values.map(() => 'secret'));
  });

  it.each([
    ['email', ['', 'x', 5, null]],
    ['exp_month', ['', 11]],
    ['name_last', ['', 'x']],
    ['Buyer', ['', '12345', '12a', 'Ada', 'Amy Guest', 'amyguest', 'merchants united', 'supermerchant']],
    ['applicantDetails', ['Ada']],
    [`${'-'.repeat(300)}b-u-y-e-r${'-'.repeat(300)}`, ['Ada']],
    ['Name', ['Ada Lovelace', "Ada de la O'Hara-King", 'A. Lovelace', 'Ada King of Great Lovelace']],
    ['name', [{ first: '' }, { last: '' }, { given: '' }, { family: '' }]],
  ])('%s is personal', (name, values) => {
    expect(values.map((value) => sensitivityOf(name, value))).toEqual(values.map(() => 'personal'));
  });

  it.each([
    ['next_cursor', ['abc12']],
    ['token', ['abc1', 'expired', 'expired in 5 days', '5 days after', 'in12 days', ['abc12'], null, true]],
    ['token', [`${'a'.repeat(201)}1`]],
    [
      'buyer',
      ['1', '1234', 12345, null, { id: 1 }, 'Merchant', 'Customer', 'account_holder', 'card holders', 'all'],
    ],
    ['buyer_count', ['12345']],
    [
      'name',
      [
        'Ada',
        'ada Lovelace',
        'Ada lovelace',
        'the Ada Lovelace',
        'Ada Lovelace 2',
        'Ada  Lovelace',
        ['Ada Lovelace'],
        'A b c d e F',
        5,
        {},
      ],
    ],
    ['title', ['Ada Lovelace', { first: '' }]],
  ])('%s is not sensitive', (name, values) => {
    expect(values.map((value) => sensitivityOf(name, value))).toEqual(values.map(() => undefined));
  });

  it.each([
    [true, 'buyer', { name: 'Ada' }],
    [true, 'role', { name: 'ErrorProne', email: 'x' }],
    [true, 'role', { name: 'Ada', username: 5 }],
    [false, 'role', { name: 'Ada', notes: 'x' }],
    [false, 'buyer', { name: 'TypeError' }],
    [false, 'buyer', { name: 'SqlException', email: 'x' }],
    [false, 'role', { name: 'Ada', email: '' }],
    [false, 'role', { name: 'Ada', email: null }],
    [false, 'role', { name: 'Ada', email: true }],
    [false, 'role', { name: 'Ada', login: 'is required' }],
  ])('is that of a person, %s, in %s %j', (isPerson, owner, object) => {
    expect(isNameOfPerson('name', object, owner)).toBe(isPerson);
    expect(isNameOfPerson('title', object, owner)).toBe(false);
  });
});

describe('the member that a detail is about', () => {
  it.each([
    ['password', { pointer: '/webhook/password' }],
    ['email', { field: 'to.email[0]' }],
    ['email', { loc: ['body', 'email', 0, 'domain'] }],
    ['email', { source: { pointer: '/data/email' } }],
    ['email', { field: `${'x.'.repeat(300)}email` }],
    ['token', { name: 'token', value: 'abc12' }],
    ['email', { path: ['to', 'email'] }],
    ['email', { PropertyPath: 'email' }],
    ['Card holder', { label: 'Card holder' }],
    [undefined, { subject: 'email', labels: 'email' }],
    [undefined, { source: 'email' }],
    ['buyer', { pointer: '//buyer/' }],
    ['buyer', { pointer: '/buyer/name' }],
    [undefined, { pointer: '/buyer/locale' }],
    [undefined, { name: 'token', value: 'expired' }],
    [undefined, { pointer: 5, message: '/email' }],
  ])('is %s in %j', (name, detail) => {
    expect(rejectedName(detail)).toBe(name);
  });
});

describe('the end of a text', () => {
  it.each([
    ['the first name', 'first name'],
    ['first     name', 'first name'],
    ['body/first//name', 'first name'],
    ['for the very first name', 'first name'],
    ['a wrong new one password', 'wrong new one password'],
    ['a sid', 'sid'],
    ['password of it', undefined],
  ])('of %j is %j, if that is sensitive', (text, name) => {
    expect(sensitiveEnd(text)).toBe(name);
  });
});

describe('a remark', () => {
  it.each([
    'is required',
    '  Must be set',
    'required...',
    'Invalid: x',
    'is eBay',
    'is a name of A Person',
    '\u2022\u2022\u2022 x',
    '***',
  ])('is %j', (text) => {
    expect(isRemark(text)).toBe(true);
  });

  it.each([
    'May Smith',
    'Value    Street',
    'IS',
    'NULL is',
    'n.one',
    'isle',
    '',
    '*a',
    'a*',
    `${' '.repeat(200)}is set`,
  ])('is not %j', (text) => {
    expect(isRemark(text)).toBe(false);
  });
});

describe('a value without quotes', () => {
  it.each([
    ['hunter2 is wrong', 'hunter2'],
    ['abc,def;x', 'abc,def'],
    ['(abc)]}.,: x', '(abc'],
    ['is required', ''],
    ['https://h.example', ''],
    ['svn+ssh://h.example', ''],
    ['5https://h.example', '5https://h.example'],
    ['a,https://h.example', 'a,https://h.example'],
    ['&abc12', ''],
    ['a'.repeat(4001), 'a'.repeat(4000)],
  ])('of a secret: of %j it is %j', (rest, value) => {
    expect(rest.slice(0, lengthOfBare(rest, 'password'))).toBe(value);
  });

  it.each([
    ['correct horse battery', 'passphrase', 'correct horse battery'],
    ['correct horse battery', 'passphrase_value', 'correct horse battery'],
    ['opaque', 'token', ''],
    ['abc12 x', 'token', 'abc12'],
  ])('of %j after %s it is %j', (rest, name, value) => {
    expect(rest.slice(0, lengthOfBare(rest, name))).toBe(value);
  });

  it.each([
    ['Ada Lovelace is unknown', 'Ada Lovelace'],
    ['Ada lovelace', 'Ada'],
    ['ada Lovelace', 'ada Lovelace'],
    ['ada lovelace exists', 'ada lovelace'],
    ['ada lovelace is unknown', 'ada lovelace'],
    ['ada@x.io 5 at', 'ada@x.io 5'],
    ['in Ulm', 'in Ulm'],
    ['A. Lovelace', 'A. Lovelace'],
    ['Al. Lovelace', 'Al'],
    ['Ada Lovelace... No', 'Ada Lovelace'],
    ['St.Pauli 5', 'St.Pauli 5'],
    ['St.Pauli', 'St.Pauli'],
    ['Ada Lovelace, London', 'Ada Lovelace'],
    ['Ada\nLovelace', 'Ada'],
    ['Ada\r\nLovelace', 'Ada'],
    ['A'.repeat(401), 'A'.repeat(400)],
  ])('of a person: of %j it is %j', (rest, value) => {
    expect(rest.slice(0, lengthOfBare(rest, 'full_name'))).toBe(value);
  });
});
