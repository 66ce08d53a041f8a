import { describe, expect, test } from '@jest/globals';
import { fileOfRecords, mendedFile, readRecords } from './records.ts';

const linesOf = async (text: string, format: 'ndjson' | 'csv', ...lines: number[]) => {
  const { first, byLine } = await readRecords(new Blob([text]), format, new Set(lines));
  return { first, byLine: Object.fromEntries(byLine) };
};

describe('records of a file', () => {
  test('are found by their line, also the last one without a line end', async () => {
    expect(await linesOf('a\nb\nc', 'ndjson', 2, 3)).toEqual({ first: 'a', byLine: { 2: 'b', 3: 'c' } });
  });

  test('blank lines count, and line ends of Windows are no part of a record', async () => {
    expect(await linesOf('\r\na\r\n\r\nb\r\n', 'ndjson', 4)).toEqual({ first: 'a', byLine: { 4: 'b' } });
  });

  test('a record of CSV begins on its first line, and has those between quotation marks', async () => {
    const csv = 'name,city\n"A ""x"",\nLtd",Oslo\nB,Bergen\n';
    expect(await linesOf(csv, 'csv', 2, 4)).toEqual({
      first: 'name,city',
      byLine: { 2: '"A ""x"",\nLtd",Oslo', 4: 'B,Bergen' },
    });
  });

  test('a quotation mark within a field opens nothing', async () => {
    expect(await linesOf('name\n5" pipe\nb\n', 'csv', 3)).toEqual({ first: 'name', byLine: { 3: 'b' } });
  });

  test('a quotation mark that is never closed costs one record, not the rest of the file', async () => {
    const csv = `name\n"${'x'.repeat(1024 * 1024)}\nb\n`;
    expect(await linesOf(csv, 'csv', 3)).toEqual({ first: 'name', byLine: { 3: 'b' } });
  });

  test('characters that lie in two pieces of a file stay whole', async () => {
    const text = `${'å'.repeat(100_000)}\nø\n`;
    expect((await linesOf(text, 'ndjson', 2)).byLine).toEqual({ 2: 'ø' });
    expect((await linesOf(text, 'ndjson', 1)).byLine).toEqual({ 1: 'å'.repeat(100_000) });
  });
});

test('mended lines of CSV stand below the header, those of NDJSON alone', () => {
  expect(fileOfRecords(['a', 'b'], 'csv', 'name')).toBe('name\na\nb\n');
  expect(fileOfRecords(['{}'], 'ndjson', '{"other":1}')).toBe('{}\n');
});

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
