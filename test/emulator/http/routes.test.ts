import { describe, expect, it } from 'vitest';
import { Routes } from '../../../src/emulator/http/routes.ts';

describe('the routes of an emulator', () => {
  const paths = [
    ...['/orders/{id}', '/orders/{id}:void', '/orders/latest', '/orders/{id}.pdf', '/orders/{order}/lines'],
    ...['/a/*/b', '/a/f({x})', '/a/b/c', '/a/{x}/d'],
  ];
  const routes = new Routes(paths.map((path) => ({ method: 'GET', path })));

  it.each([
    ['/orders/7', '/orders/{id}', ['7']],
    ['/orders/7:void', '/orders/{id}:void', ['7']],
    ['/orders/7.pdf', '/orders/{id}.pdf', ['7']],
    ['/orders/latest', '/orders/latest', []],
    ['/orders/7/lines', '/orders/{order}/lines', ['7']],
    ['/a/*/b', '/a/*/b', []],
    ['/a/f(1)', '/a/f({x})', ['1']],
    ['/a/b/d', '/a/{x}/d', ['b']],
    [`/orders/${'7'.repeat(500)}`, '/orders/{id}', ['7'.repeat(500)]],
  ])('lead %s to %s', (path, template, values) => {
    const found = routes.find(path.split('/').slice(1));
    expect(found?.methods.get('GET')?.path).toBe(template);
    expect(found?.values).toEqual(values);
  });

  it.each(['/orders', '/orders/', '/orders/7/', '/a//d', '/'])('lead %s nowhere', (path) => {
    expect(routes.find(path.split('/').slice(1))).toBeUndefined();
  });
});
