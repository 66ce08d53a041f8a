import { describe, expect, test } from '@jest/globals';
import { array, assert, constantFrom, integer, property } from 'fast-check';
import { MAX_RECORD_BYTES, RecordSplitter, type RawRecord } from './record-splitter.ts';

type Format = 'ndjson' | 'csv';

function split(format: Format, file: Buffer, chunkBytes: number, start = { byte: 0, line: 1 }): RawRecord[] {
  const splitter = new RecordSplitter(format, start);
  const records: RawRecord[] = [];
  for (let at = start.byte; at < file.length; at += chunkBytes)
    records.push(...splitter.push(file.subarray(at, at + chunkBytes)));
  records.push(...splitter.finish());
  return records;
}

const shown = (records: RawRecord[]) => records.map(({ line, bytes }) => [line, bytes?.toString()]);

describe('NDJSON', () => {
  test('a line is a record; blank lines are skipped but counted', () => {
    expect(shown(split('ndjson', Buffer.from('a\r\n\n \t\nb\n\nc'), 3))).toEqual([
      [1, 'a'],
      [4, 'b'],
      [6, 'c'],
    ]);
  });

  test('quotation marks have no meaning', () => {
    expect(shown(split('ndjson', Buffer.from('"a\nb"\n'), 2))).toEqual([
      [1, '"a'],
      [2, 'b"'],
    ]);
  });

  test('a line of the maximum length is kept, a longer one is dropped, and the next is read', () => {
    const longest = 'x'.repeat(MAX_RECORD_BYTES);
    const records = split('ndjson', Buffer.from(`${longest}\n${longest}y\nz\n`), 256 * 1024);
    expect(records.map(({ line, bytes }) => [line, bytes?.length])).toEqual([
      [1, MAX_RECORD_BYTES],
      [2, undefined],
      [3, 1],
    ]);
  });
});

describe('CSV', () => {
  test('line ends between quotation marks belong to the field', () => {
    expect(shown(split('csv', Buffer.from('a,"b\r\nc ""d""\ne",f\r\ng\n'), 1))).toEqual([
      [1, 'a,"b\r\nc ""d""\ne",f'],
      [4, 'g'],
    ]);
  });

  test('a quotation mark inside a field opens nothing', () => {
    expect(shown(split('csv', Buffer.from('a,5" pipe\nb\n'), 4))).toEqual([
      [1, 'a,5" pipe'],
      [2, 'b'],
    ]);
  });

  test('an unclosed quotation mark costs one record of the maximum length, not the rest of the file', () => {
    const lines = Math.ceil(MAX_RECORD_BYTES / 10) + 30_000;
    const file = Buffer.from(`a\n"open\n${'123456789\n'.repeat(lines)}last\n`);
    const records = split('csv', file, 256 * 1024);
    expect(shown(records.slice(0, 2))).toEqual([
      [1, 'a'],
      [2, undefined],
    ]);
    expect(shown(records.slice(-1))).toEqual([[lines + 3, 'last']]);
  });
});

describe.each<Format>(['ndjson', 'csv'])('%s', (format) => {
  const file = array(constantFrom('a', 'é', ',', '"', '""', '\n', '\r\n', '\n\n', ' ', ',"b\nc",'), {
    maxLength: 60,
  }).map((pieces) => Buffer.from(pieces.join('')));

  test('chunk sizes make no difference', () => {
    assert(
      property(file, integer({ min: 1, max: 9 }), (bytes, chunkBytes) => {
        expect(split(format, bytes, chunkBytes)).toEqual(split(format, bytes, bytes.length + 1));
      }),
    );
  });

  test('reading can continue after any record', () => {
    assert(
      property(file, (bytes) => {
        const records = split(format, bytes, 5);
        records.forEach(({ next }, index) => expect(split(format, bytes, 5, next)).toEqual(records.slice(index + 1)));
      }),
    );
  });
});
