import { describe, expect, it } from 'vitest';
import { matchOperation } from '../../../src/cli/routing/match-operation.ts';

describe('matchOperation', () => {
  const operations = [
    { id: 'get', method: 'GET', path: '/buyers/{buyer_id}' },
    { id: 'cards', method: 'GET', path: '/buyers/gift-cards' },
    { id: 'create', method: 'POST', path: '/buyers/{buyer_id}' },
    { id: 'deep', method: 'GET', path: '/buyers/{buyer_id}/cards/{card}' },
    { id: 'void', method: 'POST', path: '/orders/{id}:void' },
    { id: 'update', method: 'POST', path: '/orders/{id}' },
    { id: 'tile', method: 'GET', path: '/tiles/{x},{y}.png' },
  ] as const;
  it.each([
    ['GET', '/buyers/b1', 'get'],
    ['GET', '/buyers/gift-cards', 'cards'],
    ['GET', '/buyers/gift%2Dcards', 'cards'],
    ['POST', '/buyers/gift-cards', 'create'],
    ['GET', '/buyers/b1/cards/c1', 'deep'],
    ['GET', '/buyers/', undefined],
    ['GET', '/buyers', undefined],
    ['DELETE', '/buyers/b1', undefined],
    ['POST', '/orders/7:void', 'void'],
    ['POST', '/orders/7%3Avoid', 'void'],
    ['POST', '/orders/7', 'update'],
    ['POST', '/orders/:void', 'update'],
    ['GET', '/tiles/1,2.png', 'tile'],
    ['GET', '/tiles/1,.png', undefined],
    ['GET', '/tiles/1.png', undefined],
  ])('finds the operation of %s %s', (method, path, id) => {
    expect(matchOperation(method, path, operations)?.id).toBe(id);
  });
});
