import { expect, test } from '@jest/globals';
import { isInName } from './folded.ts';

test.each([
  ['biochar', 'Nørthern Biochar Oy'],
  ['NORTH', 'Nørthern Biochar Oy'],
  ['café', 'CAFE 2'],
  ['STRASSE', 'Café Straße'],
  ['aether', 'Œuvre Æther'],
  ['lodz', 'Łódź'],
  ['.*', 'Fire.*'],
])('%s is in the name %s', (part, name) => expect(isInName(part, name)).toBe(true));

test('what is no part of a name is not in it', () => expect(isInName('cafeteria', 'Café')).toBe(false));
