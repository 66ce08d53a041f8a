import { expect, test } from '@jest/globals';
import { Operators } from './http/pipeline.ts';

const operators = new Operators('https://id.example', ['olga', 'otto']);

test('operators are the configured subjects of the issuer', () => {
  expect(operators.require({ issuer: 'https://id.example', subject: 'olga' })).toEqual({ name: 'olga' });
  // Discovery of OpenID Connect treats issuers as URLs.
  expect(operators.require({ issuer: 'https://id.example/', subject: 'otto' })).toEqual({ name: 'otto' });
});

test.each([
  ['https://id.example', 'anna'],
  ['https://id.example', 'Olga'],
  ['https://id.example', ''],
  ['https://other.example', 'olga'],
  ['https://id.example/realm', 'olga'],
  ['', 'olga'],
])('issuer %j, subject %j: forbidden', (issuer, subject) => {
  expect(() => operators.require({ issuer, subject })).toThrow('not an operator');
});

test('an empty list allows no operator', () => {
  const none = new Operators('https://id.example', []);
  expect(() => none.require({ issuer: 'https://id.example', subject: '' })).toThrow('not an operator');
});
