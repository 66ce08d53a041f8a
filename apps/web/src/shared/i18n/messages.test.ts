import { expect, test } from '@jest/globals';
import { pseudoTranslate, translate } from './messages.ts';

test('the pseudo-language shows untranslated and cut-off texts', () => {
  const text = translate({ title: 'Keys', left: (days: number) => `${days} days` }, 'pseudo');
  expect(text.title).toBe('[Ķéýš··]');
  expect(text.left(3)).toMatch(/^\[3 ðáýš·+\]$/);
  expect(pseudoTranslate('Sell 250 t').length).toBeGreaterThan('Sell 250 t'.length * 1.3);
});

test('English texts are unchanged', () => {
  expect(translate({ title: 'Keys' }, 'en')).toEqual({ title: 'Keys' });
});
