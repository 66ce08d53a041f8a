import { describe, expect, test } from '@jest/globals';
import { countCertificates } from '@saleschannel/primitives';
import * as fc from 'fast-check';
import { parseRanges, sumVolumes } from './ranges.ts';
import { readRows, type FileContent } from './read-file.ts';
import { parseDay, parseYear, readRow, type Column, type Row } from './row.ts';

describe('a row', () => {
  const good: Partial<Record<Column, string>> = {
    registry: 'Nord',
    kind: 'retirement',
    batch: 'B 1',
    start: '11',
    end: '20',
    quantity: '10',
    date: '2024-05-06',
    vintage: '2023',
  };
  const read = (cells: Partial<Record<Column, string>>): Row => readRow(7, (column) => ({ ...good, ...cells })[column]);

  test('a row is read with clean texts', () => {
    expect(read({ registry: ' NORD ', beneficiary: ' Sa\u0303o\n Joa\u0303o ', kind: 'Retirement' })).toMatchObject({
      line: 7,
      registry: 'nord',
      kind: 'retirement',
      batch: 'B 1',
      ranges: [{ first: 11n, last: 20n }],
      volume: 10n,
      day: '2024-05-06',
      vintage: 2023,
      beneficiary: 'São João',
      purpose: undefined,
    });
  });

  test.each<[Partial<Record<Column, string>>, string]>([
    [{ registry: '' }, 'registry is missing'],
    [{ batch: ' ' }, 'batch is missing'],
    [{ kind: 'sale' }, 'kind "sale" is not one of issuance, retirement, cancellation'],
    [{ start: '' }, 'start is missing'],
    [{ end: '' }, 'end is missing'],
    [{ start: '', end: '' }, 'start and end are missing'],
    [{ start: '1x' }, 'start "1x" is not a serial'],
    [{ start: '-11' }, 'start "-11" is not a serial'],
    [{ start: '1.5' }, 'start "1.5" is not a serial'],
    [{ start: '١١' }, 'start "١١" is not a serial'],
    [{ start: '21' }, 'end 20 is below start 21'],
    [{ end: '1'.repeat(39) }, 'end has 39 digits; a serial has at most 38'],
    [{ start: '0011', end: '020' }, 'serials with leading zeros must all have the same number of digits'],
    [{ start: '11;30', end: '20' }, 'start has 2 serials, but end has 1'],
    [{ start: '11;15', end: '20;18' }, 'the ranges of the row overlap'],
    [{ start: '11-20; 30', end: '' }, 'end is missing'],
    [{ start: '11-20-30', end: '' }, '"11-20-30" is not a serial range'],
    [{ quantity: '' }, 'quantity is missing'],
    [{ quantity: '9.5' }, 'quantity "9.5" is not a whole number'],
    [{ quantity: '11' }, 'quantity is 11, but end − start + 1 is 10'],
    [{ start: '1 11', end: '5 20', quantity: '10' }, 'quantity is 10, but the sum of its 2 ranges is 15'],
    [{ vintage: 'soon' }, 'vintage "soon" is not a year'],
    [{ vintage: '', date: '' }, 'vintage and date are missing'],
  ])('a row with %j is bad: %s', (cells, reason) => {
    expect(() => read(cells)).toThrow(reason);
  });

  test.each([
    ['0', '20', [{ first: 0n, last: 20n }], undefined],
    ['0', '9', [{ first: 0n, last: 9n }], undefined],
    ['0', '0', [{ first: 0n, last: 0n }], undefined],
    ['000', '020', [{ first: 0n, last: 20n }], 3],
  ])('serials may start with %s', (start, end, ranges, fixedWidth) => {
    expect(read({ start, end, quantity: String(BigInt(end) + 1n) })).toMatchObject({ ranges, fixedWidth });
  });

  test.each([
    ['1;21', '5;30'],
    ['1, 21', '5, 30'],
    ['1|21', '5|30'],
    ['1 / 21', '5 / 30'],
    ['1\n21', '5\r\n30'],
    ['1 21', '5 30'],
    ['1-5; 21-30', ''],
    ['1 – 5, 21 – 30', ''],
    ['21-30|1-5', ' '],
  ])('the cells %j and %j contain two ranges', (start, end) => {
    expect(read({ start, end, quantity: '15' })).toMatchObject({
      volume: 15n,
      ranges: expect.arrayContaining([
        { first: 1n, last: 5n },
        { first: 21n, last: 30n },
      ]),
    });
  });

  test('many blanks take linear time', () => {
    // Matching from each blank would take minutes.
    expect(parseRanges(`1-2${' '.repeat(1_000_000)}4 - 5`, '').ranges).toEqual([
      { first: 1n, last: 2n },
      { first: 4n, last: 5n },
    ]);
  });

  test('all notations of ranges give the same result', () => {
    const ranges = fc
      .array(fc.tuple(fc.bigInt(1n, 10n ** 30n), fc.bigInt(0n, 10n ** 6n)), { minLength: 1, maxLength: 5 })
      .map((pairs) => {
        let from = 0n;
        return pairs.map(([gap, more]) => ({ first: from + gap, last: (from += gap + more) }));
      });
    fc.assert(
      fc.property(
        ranges,
        fc.constantFrom(';', ', ', '|', ' / ', '\n', ' '),
        fc.boolean(),
        (inputs, separator, isPadded) => {
          const text = (value: bigint): string => (isPadded ? value.toString().padStart(38, '0') : value.toString());
          const column = (field: 'first' | 'last'): string => inputs.map((range) => text(range[field])).join(separator);
          const apart = parseRanges(column('first'), column('last'));
          const together = parseRanges(
            inputs.map(({ first, last }) => `${text(first)}-${text(last)}`).join(separator),
            '',
          );
          expect(apart).toEqual(together);
          expect(apart.ranges).toEqual(inputs);
          expect(apart.fixedWidth).toBe(isPadded ? 38 : undefined);
          expect(sumVolumes(apart.ranges.map(countCertificates))).toBe(
            sumVolumes(inputs.map(({ first, last }) => last - first + 1n)),
          );
        },
      ),
    );
  });

  test.each([
    ['2026-04-10', '2026-04-10'],
    ['2026-04-10T12:00:00Z', '2026-04-10'],
    ['2026-04-10 12:00:00', '2026-04-10'],
    ['4/13/2026 7:15:01 PM', '2026-04-13'],
    ['12/06/2025', '2025-12-06'],
    ['31/12/2025', undefined],
    ['2026-02-30', undefined],
    ['', undefined],
    ['soon', undefined],
  ])('the day of %j is %s', (cell, day) => {
    expect(parseDay(cell)).toBe(day);
  });

  test('a vintage with several years counts as its first year', () => {
    expect([parseYear('2023'), parseYear('2019-2020'), parseYear('20231'), parseYear('1899')]).toEqual([
      2023,
      2019,
      undefined,
      undefined,
    ]);
  });
});

describe('a file', () => {
  const HEADER = 'registry,kind,batch,start,end,quantity,vintage,beneficiary';
  const GOOD = 'r,retirement,b,1,2,2,2020,';

  async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }

  const read = (content: string | Buffer, size = 1 << 16): Promise<FileContent> =>
    readRows(chunksOf(Buffer.from(content), size));
  const lines = (...rows: string[]): string => [HEADER, ...rows].join('\n');
  const shape = ({ rows, bad }: FileContent): unknown => ({
    rows: rows.map(({ line, beneficiary }) => [line, beneficiary]),
    bad: bad.map(({ line, reason }) => [line, reason]),
  });

  test.each<[string, string, string]>([
    ['too few cells', 'r,retirement,b', 'the row has 3 cells, but the header has 8'],
    ['too many cells', `${GOOD},x`, 'the row has 9 cells, but the header has 8'],
    ['NUL', `${GOOD}a\0b`, 'the row contains a NUL character'],
    ['text after a quotation', `${GOOD}"a"b`, 'text after a closing quotation mark'],
    ['an unclosed quotation mark', `${GOOD}"abc`, 'a quotation mark is not closed'],
  ])('%s: the row is reported, and the others are read', async (_name, row, reason) => {
    expect(shape(await read(lines(GOOD, row, '', `${GOOD}x`)))).toEqual({
      rows: [
        [2, undefined],
        [5, 'x'],
      ],
      bad: [[3, reason]],
    });
  });

  test('a row that is not UTF-8 is reported', async () => {
    const broken = Buffer.concat([
      Buffer.from(lines(`${GOOD}`, GOOD)),
      Buffer.from([0xc3, 0x28]),
      Buffer.from(`\n${GOOD}é`),
    ]);
    expect(shape(await read(broken))).toEqual({
      rows: [
        [2, undefined],
        [4, 'é'],
      ],
      bad: [[3, 'the row is not valid UTF-8']],
    });
  });

  test('an open quotation mark before a quoted cell costs only its own line', async () => {
    expect(shape(await read(lines(`${GOOD}"open`, `${GOOD}plain`, `${GOOD}"quoted, cell"`, GOOD)))).toEqual({
      rows: [
        [3, 'plain'],
        [4, 'quoted, cell'],
        [5, undefined],
      ],
      bad: [[2, 'a quotation mark is not closed']],
    });
  });

  test('a very long line costs only itself', async () => {
    const content = await read(lines(GOOD, `${GOOD}${'x'.repeat(1_100_000)}`, GOOD));
    expect(shape(content)).toEqual({
      rows: [
        [2, undefined],
        [4, undefined],
      ],
      bad: [[3, 'the line is longer than 1048576 bytes']],
    });
  });

  test('cells may hold commas, quotation marks and line breaks', async () => {
    expect(shape(await read(lines(`${GOOD}"a ""b"", c\r\nd"\r`, `${GOOD}5" pipe`)))).toEqual({
      rows: [
        [2, 'a "b", c d'],
        [4, '5" pipe'],
      ],
      bad: [],
    });
  });

  test.each([
    ['', 'the file is empty'],
    ['registry,kind,batch\n', 'the header lacks start, end, quantity; it has "registry", "kind", "batch"'],
    [`${HEADER},Start\n`, 'the header contains start twice'],
    ['\xff\xfe', 'the file is UTF-16; save it as UTF-8'],
  ])('the file %j is refused', async (content, reason) => {
    await expect(read(Buffer.from(content, 'latin1'))).rejects.toThrow(reason);
  });

  test('the result does not depend on the size of chunks', async () => {
    const piece = fc.constantFrom(
      GOOD,
      '"',
      '""',
      ',',
      '\n',
      '\r\n',
      'x',
      ' ',
      'é',
      '\0',
      `\n${GOOD}`,
      `\n${GOOD}"q\nq"\n`,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), fc.integer({ min: 1, max: 40 }), async (pieces, size) => {
        const content = lines(pieces.join(''), '', GOOD);
        const whole = await read(content);
        expect(await read(content, size)).toEqual(whole);
        const named = [...whole.rows, ...whole.bad].map(({ line }) => line);
        expect(new Set(named).size).toBe(named.length);
      }),
      { numRuns: 200 },
    );
  });
});
