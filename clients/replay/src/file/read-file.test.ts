import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { readRows, type FileContent } from './read-file.ts';

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
