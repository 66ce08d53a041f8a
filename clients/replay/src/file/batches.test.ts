import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { groupBatches, type Batch } from './batches.ts';
import { readRow, type Column, type Kind, type Row } from './row.ts';

const row = (line: number, kind: Kind, start: string, end: string, batch = 'b'): Row => {
  const cells: Partial<Record<Column, string>> = {
    registry: 'r',
    kind,
    batch,
    start,
    end,
    quantity: String(BigInt(end) - BigInt(start) + 1n),
    vintage: '2020',
  };
  return readRow(line, (column) => cells[column]);
};

function read(...rows: Row[]): { batches: Batch[]; bad: string[] } {
  const { batches, bad } = groupBatches(rows);
  return { batches, bad: bad.map(({ line, reason }) => `${line}: ${reason}`) };
}

test('rows of one batch and registry form one issuance, from the lowest start to the highest end', () => {
  const { batches, bad } = read(
    row(2, 'retirement', '50', '60'),
    row(3, 'issuance', '5', '9'),
    row(4, 'cancellation', '61', '61'),
    row(5, 'retirement', '1', '1', 'c'),
  );
  expect(bad).toEqual([]);
  expect(batches).toMatchObject([
    { batch: 'b', range: { first: 5n, last: 61n }, lead: { line: 3 }, form: { width: 0 } },
    { batch: 'c', range: { first: 1n, last: 1n } },
  ]);
});

test('of two overlapping rows, the later row is bad, unless one issues certificates and the other moves them', () => {
  const rows = [
    row(2, 'issuance', '1', '100'),
    row(3, 'retirement', '10', '20'),
    row(4, 'cancellation', '20', '30'),
    row(5, 'retirement', '95', '105'),
    row(6, 'issuance', '100', '110'),
  ];
  expect(read(...rows).bad).toEqual([
    '4: 20–30 overlaps 10–20 of line 3',
    '5: 95–105 overlaps 1–100 of line 2',
    '6: 100–110 overlaps 1–100 of line 2',
  ]);
});

test('if one serial has leading zeros, the whole batch must have that many digits', () => {
  const { batches, bad } = read(
    row(2, 'retirement', '1000', '1009'),
    row(3, 'retirement', '0100', '0109'),
    row(4, 'retirement', '10000', '10001'),
  );
  expect(bad).toEqual(['4: serials of batch "b" have leading zeros, so they all must have 4 digits']);
  expect(batches).toMatchObject([{ form: { width: 4 }, range: { first: 100n, last: 1009n } }]);
});

test('a row that would make the issuance too large is bad', () => {
  const { batches, bad } = read(
    row(2, 'retirement', '1', '9'),
    row(3, 'retirement', '9007199254740992', '9007199254740992'),
    row(4, 'retirement', '9007199254740991', '9007199254740991'),
  );
  expect(bad).toEqual([
    expect.stringContaining('3: with this row, batch "b" would span more than 9007199254740991 certificates'),
  ]);
  expect(batches).toMatchObject([{ range: { first: 1n, last: 9007199254740991n } }]);
});

test('rows are bad exactly when they overlap an earlier row of their kind', () => {
  const ranges = fc.array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 8 })), { maxLength: 25 });
  fc.assert(
    fc.property(ranges, (inputs) => {
      const taken = new Set<number>();
      const expected: number[] = [];
      inputs.forEach(([first, more], index) => {
        const serials = Array.from({ length: more + 1 }, (_, offset) => first + offset);
        if (serials.some((serial) => taken.has(serial))) expected.push(index);
        else for (const serial of serials) taken.add(serial);
      });
      const rows = inputs.map(([first, more], index) => row(index, 'retirement', String(first), String(first + more)));
      expect(groupBatches(rows).bad.map(({ line }) => line)).toEqual(expected);
    }),
  );
});
