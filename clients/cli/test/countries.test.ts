import { expect, test } from '@jest/globals';
import { countryOption } from '../src/countries.ts';

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const names = new Intl.DisplayNames('en', { type: 'region' });

const isItself = (code: string): boolean => {
  try {
    return countryOption(code) === code;
  } catch {
    return false;
  }
};

test('countries are those of ISO 3166-1, each by its code and by its name', () => {
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(isItself);
  expect(codes).toHaveLength(249);
  expect(codes.map((code) => countryOption(names.of(code) ?? 'none'))).toEqual(codes);
});
