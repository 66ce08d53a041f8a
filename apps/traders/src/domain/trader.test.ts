import { expect, test } from '@jest/globals';
import { DomainError, type Violation } from '@saleschannel/errors';
import { parseTraderPatch } from './trader.ts';

const refusalOf = (text: string): Violation[] => {
  try {
    parseTraderPatch(text);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'invalid-request') return error.violations;
    throw error;
  }
  throw new Error(`The patch ${text} was not refused.`);
};

test('absent members stay undefined', () => {
  expect(parseTraderPatch('{}')).toEqual({ businessId: undefined, name: undefined, address: {} });
});

test('members are copied; null removes a member of the address', () => {
  expect(parseTraderPatch('{"name": "Fjord", "businessId": "NO-1", "address": {"city": null, "street": ""}}')).toEqual({
    businessId: 'NO-1',
    name: 'Fjord',
    address: { city: null, street: '' },
  });
});

test('the limit of 200 characters counts code points', () => {
  expect(parseTraderPatch(JSON.stringify({ name: '🌲'.repeat(200) })).name).toHaveLength(400);
  expect(refusalOf(JSON.stringify({ name: '🌲'.repeat(201) }))).toMatchObject([
    { pointer: '#/name', code: 'maxLength' },
  ]);
});

test.each([
  ['', '#', 'json'],
  ['{', '#', 'json'],
  // By RFC 7396, a patch that is no object would replace the trader.
  ['[]', '#', 'type'],
  ['["c"]', '#', 'type'],
  ['null', '#', 'type'],
  ['"name"', '#', 'type'],
  ['1', '#', 'type'],
  ['{"name": null}', '#/name', 'type'],
  ['{"businessId": null}', '#/businessId', 'type'],
  ['{"name": ["Fjord"]}', '#/name', 'type'],
  ['{"name": {"first": null}}', '#/name', 'type'],
  ['{"name": 5}', '#/name', 'type'],
  ['{"name": ""}', '#/name', 'minLength'],
  ['{"businessId": ""}', '#/businessId', 'minLength'],
  ['{"name": "a\\u0000b"}', '#/name', 'nul-character'],
  ['{"name": "\\ud800"}', '#/name', 'lone-surrogate'],
  ['{"address": "Oslo"}', '#/address', 'type'],
  ['{"address": null}', '#/address', 'type'],
  ['{"name": "a\\nb"}', '#/name', 'pattern'],
  ['{"address": {"city": "\\u202eolsO"}}', '#/address/city', 'pattern'],
  ['{"address": []}', '#/address', 'type'],
  ['{"address": {"zipCode": 484}}', '#/address/zipCode', 'type'],
  ['{"address": {"zipCode": {"code": null}}}', '#/address/zipCode', 'type'],
  ['{"address": {"zipCode": "\\u0000"}}', '#/address/zipCode', 'nul-character'],
  ['{"address": {"planet": "Earth"}}', '#/address/planet', 'unknown-member'],
  ['{"address": {"planet": null}}', '#/address/planet', 'unknown-member'],
  ['{"id": "c1"}', '#/id', 'unknown-member'],
  ['{"__proto__": {}}', '#/__proto__', 'unknown-member'],
  ['{"toString": "x"}', '#/toString', 'unknown-member'],
  ['{"a/b~c %": 1}', '#/a~1b~0c%20%25', 'unknown-member'],
  ['{"\\ud800": 1}', '#/%EF%BF%BD', 'unknown-member'],
])('%s is refused', (text, pointer, code) => {
  expect(refusalOf(text)).toMatchObject([{ pointer, code }]);
});

test('all faults are reported', () => {
  expect(
    refusalOf('{"name": null, "businessId": 1, "address": {"city": 2, "planet": 3}, "x": 4}').map(
      ({ pointer }) => pointer,
    ),
  ).toEqual(['#/businessId', '#/name', '#/address/city', '#/address/planet', '#/x']);
});

test('long names of unknown members are cut', () => {
  const pointer = `#/${'x'.repeat(100)}%E2%80%A6`;
  expect(refusalOf(JSON.stringify({ ['x'.repeat(101)]: 1 }))).toMatchObject([{ pointer }]);
});
