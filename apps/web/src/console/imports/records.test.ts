import { describe, expect, test } from '@jest/globals';
import { joinRecords, buildCorrectedFile, readRecords } from './records.ts';

const splitLines = async (text: string, format: 'ndjson' | 'csv', ...lines: number[]) => {
  const { first, byLine } = await readRecords(new Blob([text]), format, new Set(lines));
  return { first, byLine: Object.fromEntries(byLine) };
};

describe('records of a file', () => {
  test('are found by line, including a last line without a line feed', async () => {
    expect(await splitLines('a\nb\nc', 'ndjson', 2, 3)).toEqual({ first: 'a', byLine: { 2: 'b', 3: 'c' } });
  });

  test('count blank lines and exclude Windows line ends', async () => {
    expect(await splitLines('\r\na\r\n\r\nb\r\n', 'ndjson', 4)).toEqual({ first: 'a', byLine: { 4: 'b' } });
  });

  test('of CSV are located by their first line and include quoted line feeds', async () => {
    const csv = 'name,city\n"A ""x"",\nLtd",Oslo\nB,Bergen\n';
    expect(await splitLines(csv, 'csv', 2, 4)).toEqual({
      first: 'name,city',
      byLine: { 2: '"A ""x"",\nLtd",Oslo', 4: 'B,Bergen' },
    });
  });

  test('ignore a quotation mark within a field', async () => {
    expect(await splitLines('name\n5" pipe\nb\n', 'csv', 3)).toEqual({ first: 'name', byLine: { 3: 'b' } });
  });

  test('lose only the record with an unclosed quotation mark', async () => {
    const csv = `name\n"${'x'.repeat(1024 * 1024)}\nb\n`;
    expect(await splitLines(csv, 'csv', 3)).toEqual({ first: 'name', byLine: { 3: 'b' } });
  });

  test('keep characters whole that span two chunks', async () => {
    const text = `${'å'.repeat(100_000)}\nø\n`;
    expect((await splitLines(text, 'ndjson', 2)).byLine).toEqual({ 2: 'ø' });
    expect((await splitLines(text, 'ndjson', 1)).byLine).toEqual({ 1: 'å'.repeat(100_000) });
  });
});

test('puts corrected CSV lines below the header, and NDJSON lines alone', () => {
  expect(joinRecords(['a', 'b'], 'csv', 'name')).toBe('name\na\nb\n');
  expect(joinRecords(['{}'], 'ndjson', '{"other":1}')).toBe('{}\n');
});

const lines = [
  { line: 2, sent: '{', now: '{\n}' },
  { line: 5, sent: 'same', now: 'same' },
  { line: 9, sent: 'gone', now: ' ' },
];

test('sends only changed lines, with each NDJSON record on one line', () => {
  const corrected = buildCorrectedFile(lines, { format: 'ndjson', header: undefined, withUnchanged: false });
  expect(corrected).toEqual({ count: 1, content: '{ }\n' });
});

test('sends unchanged lines too on request, but no empty lines', () => {
  const corrected = buildCorrectedFile(lines, { format: 'csv', header: 'a', withUnchanged: true });
  expect(corrected).toEqual({ count: 2, content: 'a\n{\n}\nsame\n' });
});

test('sends nothing if no line was corrected', () => {
  expect(buildCorrectedFile(lines.slice(1), { format: 'csv', header: 'a', withUnchanged: false })).toBeUndefined();
});
