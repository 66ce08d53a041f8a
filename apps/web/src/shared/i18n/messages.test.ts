import { expect, test } from '@jest/globals';
import { pseudo, translated } from './messages.ts';

test('the pseudo-language shows untranslated and cut-off texts', () => {
  const text = translated({ title: 'Keys', left: (days: number) => `${days} days` }, 'pseudo');
  expect(text.title).toBe('[Ķéýš··]');
  expect(text.left(3)).toMatch(/^\[3 ðáýš·+\]$/);
  expect(pseudo('Sell 250 t').length).toBeGreaterThan('Sell 250 t'.length * 1.3);
});

test('English texts are those in the code', () => {
  expect(translated({ title: 'Keys' }, 'en')).toEqual({ title: 'Keys' });
});
