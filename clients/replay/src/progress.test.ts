import { expect, test } from '@jest/globals';
import { createProgressWriter } from './progress.ts';

const EVENTS_AT_MS = [0, 50, 200, 4_000, 6_000, 12_000];

/** Output when progress is reported at these times. */
function written(isTTY: boolean): string[] {
  const texts: string[] = [];
  let nowMs = 0;
  const writer = createProgressWriter({ isTTY, columns: 30, write: (text) => texts.push(text) }, () => nowMs);
  for (const atMs of EVENTS_AT_MS) {
    nowMs = atMs;
    writer.show({ phase: 'transfers', done: atMs, total: 12_000 });
  }
  writer.clear();
  return texts;
}

test('progress is a line every few seconds without a terminal', () => {
  expect(written(false)).toEqual([
    'moving certificates 0/12000, 0 s\n',
    'moving certificates 6000/12000, 6 s\n',
    'moving certificates 12000/12000, 12 s\n',
  ]);
});

test('progress is one line on a terminal, cut to its width and erased at the end', () => {
  const texts = written(true);
  expect(texts).toHaveLength(6);
  expect(texts[0]).toBe('\r\u001b[2Kmoving certificates 0/12000, ');
  expect(texts.at(-1)).toBe('\r\u001b[2K');
});
