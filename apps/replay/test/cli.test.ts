import { expect, test } from '@jest/globals';
import { readArguments } from '../src/cli.ts';
import { settingOf, type Demo } from '../src/demo.ts';
import { progressWriter } from '../src/progress.ts';

const folder = import.meta.dirname;

test('paths are looked for where npm runs and where the user stands', () => {
  expect(readArguments(['cli.test.ts', '--json', '--concurrency', '2'], ['/', folder])).toEqual({
    file: `${folder}/cli.test.ts`,
    demo: '/.local/demo.json',
    concurrency: 2,
    json: true,
  });
  expect(readArguments(['--help'], [folder])).toBe('help');
});

test.each([
  [[], 'The CSV file is missing.'],
  [['a', 'b'], 'One CSV file is read at a time; what is b?'],
  [['a', '--concurrency', '0'], '--concurrency takes a number from 1 to 256.'],
  [['a', '--fast'], "Unknown option '--fast'"],
])('%j is told', (args, message) => {
  expect(() => readArguments(args, [folder])).toThrow(message);
});

test.each([
  [{}, 'baseUrl is missing'],
  [{ baseUrl: 'x' }, 'baseUrl is not an address'],
  [{ baseUrl: 'http://x', registryBaseUrl: 'http://x' }, 'registryKey.apiKey is missing'],
  [null, 'baseUrl is missing'],
])('the demo file %j is told', (demo, message) => {
  expect(() => settingOf(demo as unknown as Demo)).toThrow(message);
});

test('progress is one line on a terminal, and a line every few seconds elsewhere', () => {
  let nowMs = 0;
  const show = (isTTY: boolean): string[] => {
    const written: string[] = [];
    nowMs = 0;
    const writer = progressWriter({ isTTY, columns: 30, write: (text: string) => written.push(text) }, () => nowMs);
    for (const atMs of [0, 50, 200, 4_000, 6_000, 12_000]) {
      nowMs = atMs;
      writer.show({ phase: 'transfers', done: atMs, total: 12_000 });
    }
    writer.clear();
    return written;
  };
  expect(show(false)).toEqual([
    'moving certificates 0/12000, 0 s\n',
    'moving certificates 6000/12000, 6 s\n',
    'moving certificates 12000/12000, 12 s\n',
  ]);
  expect(show(true)).toHaveLength(6);
  expect(show(true)[0]).toBe('\r\u001b[2Kmoving certificates 0/12000, ');
});
