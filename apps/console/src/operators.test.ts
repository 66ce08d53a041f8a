import { expect, test } from '@jest/globals';
import { Operators } from './operators.ts';

const operators = new Operators('https://id.example', ['olga', 'otto']);

test('operators are the subjects of the one issuer', () => {
  expect(operators.require({ issuer: 'https://id.example', subject: 'olga' })).toEqual({ name: 'olga' });
  // As the discovery of OpenID Connect has it, where an issuer is a URL.
  expect(operators.require({ issuer: 'https://id.example/', subject: 'otto' })).toEqual({ name: 'otto' });
});

test.each([
  ['https://id.example', 'anna'],
  ['https://id.example', 'Olga'],
  ['https://id.example', ''],
  ['https://other.example', 'olga'],
  ['https://id.example/realm', 'olga'],
  ['', 'olga'],
])('forbidden: %j of %j', (issuer, subject) => {
  expect(() => operators.require({ issuer, subject })).toThrow('not an operator');
});

test('without any subject nobody is an operator', () => {
  const nobody = new Operators('https://id.example', []);
  expect(() => nobody.require({ issuer: 'https://id.example', subject: '' })).toThrow('not an operator');
});
