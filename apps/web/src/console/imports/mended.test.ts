import { expect, test } from '@jest/globals';
import { mendedFile } from './mended.ts';

const lines = [
  { line: 2, sent: '{', now: '{\n}' },
  { line: 5, sent: 'same', now: 'same' },
  { line: 9, sent: 'gone', now: ' ' },
];

test('only what was changed is sent, each record of NDJSON in one line', () => {
  const mended = mendedFile(lines, { format: 'ndjson', header: undefined, withUnchanged: false });
  expect(mended).toEqual({ count: 1, content: '{ }\n' });
});

test('unchanged lines are sent too where that is wished, and never empty ones', () => {
  const mended = mendedFile(lines, { format: 'csv', header: 'a', withUnchanged: true });
  expect(mended).toEqual({ count: 2, content: 'a\n{\n}\nsame\n' });
});

test('nothing is sent where nothing was mended', () => {
  expect(mendedFile(lines.slice(1), { format: 'csv', header: 'a', withUnchanged: false })).toBeUndefined();
});
