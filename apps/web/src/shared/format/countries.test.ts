import { expect, test } from '@jest/globals';
import { countries, countryName } from './countries.ts';

test('countries are those of ISO 3166-1, each with one code and one name, by name', () => {
  expect(countries).toHaveLength(249);
  expect(new Set(countries.map(({ code }) => code)).size).toBe(249);
  expect(new Set(countries.map(({ name }) => name)).size).toBe(249);
  for (const { code, name } of countries) expect(name).not.toBe(code);
  expect(countries.slice(0, 2).map(({ name }) => name)).toEqual(['Afghanistan', 'Åland Islands']);
});

// The first two letters of each of these names are the code of another country.
test.each([
  ['DK', 'Denmark'],
  ['DE', 'Germany'],
  ['AT', 'Austria'],
  ['IE', 'Ireland'],
  ['EE', 'Estonia'],
  ['CH', 'Switzerland'],
  ['ZA', 'South Africa'],
])('%s is %s', (code, name) => {
  expect([countryName(code), countryName(code.toLowerCase())]).toEqual([name, name]);
});

test.each(['XK', 'Atlantis', 'EU', ''])('%p names no country, and is shown as it is', (code) => {
  expect(countryName(code)).toBe(code);
});
