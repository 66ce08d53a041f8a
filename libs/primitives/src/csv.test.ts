import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { formatCsvHeader, formatCsvRow, type CsvColumns } from './csv.ts';

const columns: CsvColumns<Record<string, string | null>> = { a: (row) => row['a'], 'b.c': (row) => row['b'] };

/** Parses CSV by RFC 4180. */
function parseCsv(text: string): string[][] {
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  const records: string[][] = [[]];
  for (let match = field.exec(text); match; match = field.exec(text)) {
    records.at(-1)?.push(match[1] === undefined ? (match[2] as string) : match[1].replaceAll('""', '"'));
    if (match[3] === '\r\n') records.push([]);
    if (field.lastIndex === text.length) break;
  }
  return records.slice(0, -1);
}

test('fields are preserved, and spreadsheets read none as a formula', () => {
  const special = fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', ',', "'", 'ä', '\u{1f332}');
  const text = fc.oneof(fc.string({ unit: fc.oneof(special, fc.string({ minLength: 1, maxLength: 3 })) }), special);
  fc.assert(
    fc.property(fc.array(fc.record({ a: text, b: fc.option(text) }), { maxLength: 5 }), (rows) => {
      const written = formatCsvHeader(columns) + rows.map((row) => formatCsvRow(columns, row)).join('');
      const [header, ...records] = parseCsv(written);
      expect(header).toEqual(['a', 'b.c']);
      expect(records).toHaveLength(rows.length);
      for (const [index, row] of rows.entries()) {
        for (const [at, original] of [row.a, row.b ?? ''].entries()) {
          const parsed = String(records[index]?.[at]);
          expect(parsed).not.toMatch(/^[=+\-@\t\r]/);
          expect([original, `'${original}`]).toContain(parsed);
        }
      }
    }),
  );
});

test('writes harmless fields unchanged, and null as an empty field', () => {
  expect(formatCsvRow(columns, { a: '340282366920938463463374607431768211455', b: null })).toBe(
    '340282366920938463463374607431768211455,\r\n',
  );
  expect(formatCsvRow(columns, { a: '=1+1', b: '-5' })).toBe("'=1+1,'-5\r\n");
  expect(formatCsvRow(columns, { a: 'a\nb', b: 'x"y' })).toBe('"a\nb","x""y"\r\n');
});
