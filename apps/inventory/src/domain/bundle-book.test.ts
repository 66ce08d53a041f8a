import { describe, expect, test } from '@jest/globals';
import {
  createBundle,
  movableOf,
  listed,
  old,
  OLD_START,
  plain,
  reservedFor,
  retiredBy,
  createSelection,
  toChangesText,
  terms,
} from '../../test/support/books.ts';
import { BundleBook } from './bundle-book.ts';
import type { Bundle, Holding } from './bundle.ts';
import type { Selection } from './selection.ts';

const createBook = (...bundles: Bundle[]): BundleBook => {
  const book = new BundleBook();
  for (const bundle of bundles) book.add(bundle);
  return book;
};
const toText = ({ first, last }: { first: bigint; last: bigint }): string => `${first}-${last}`;
const toCodes = (outcome: ReturnType<BundleBook['move']>): unknown[] =>
  'faults' in outcome ? outcome.faults.map(({ index, field, code }) => `${index}/${field} ${code}`) : ['taken'];

describe('taking a selection', () => {
  const move = (selections: Selection[], owner = 'a', issuance = plain) =>
    createBook(createBundle(issuance, 1n, 10n, listed('a'))).move({
      selections,
      from: movableOf(owner),
      to: listed('b'),
    });
  const on = (first: bigint, last: bigint): Selection => createSelection(plain, first, last);

  test.each<[string, Selection[], string[]]>([
    ['the first certificate', [on(1n, 1n)], ['taken']],
    ['the first part', [on(1n, 4n)], ['taken']],
    ['all but the last', [on(1n, 9n)], ['taken']],
    ['the whole bundle', [on(1n, 10n)], ['taken']],
    ['the last one alone', [on(10n, 10n)], ['0/start bundle-start']],
    ['the middle', [on(4n, 6n)], ['0/start bundle-start']],
    ['one too many', [on(1n, 11n)], ['0/end bundle-end']],
    ['one too early', [{ ...on(1n, 5n), first: 0n, firstText: '0' }], ['0/start bundle-start']],
    ['backwards', [on(5n, 4n)], ['0/end selection-order']],
    ['two parts that touch', [on(1n, 5n), on(6n, 10n)], ['taken']],
    ['many parts that touch', [on(1n, 1n), on(2n, 2n), on(3n, 9n), on(10n, 10n)], ['taken']],
    ['two parts that touch, the later one first', [on(6n, 10n), on(1n, 5n)], ['0/start bundle-start']],
    ['two parts that overlap', [on(1n, 5n), on(5n, 10n)], ['1/start selection-overlap']],
    ['the same part twice', [on(1n, 5n), on(1n, 5n)], ['1/start selection-overlap']],
    [
      'parts within a part',
      [on(1n, 10n), on(2n, 3n), on(5n, 6n)],
      ['1/start selection-overlap', '2/start selection-overlap'],
    ],
    ['two faults', [on(2n, 3n), on(5n, 6n)], ['0/start bundle-start', '1/start bundle-start']],
  ])('%s', (_name, selections, expected) => {
    expect(toCodes(move(selections))).toEqual(expected);
  });

  test('refuses a bundle of another owner like an unknown issuance', () => {
    expect(move([on(1n, 4n)], 'x')).toEqual(move([createSelection(terms('nothing'), 1n, 4n)], 'x'));
  });

  test('refuses expired certificates', () => {
    expect(toCodes(move([on(1n, 4n)], 'a', { ...plain, expired: true }))).toEqual(['0/start expired']);
  });

  test('refuses serials in another form than that of the issuance', () => {
    expect(toCodes(move([{ ...on(1n, 4n), firstText: '01' }]))).toEqual(['0/start serial-form']);
    expect(toCodes(move([{ ...on(1n, 4n), lastText: '4 ' }]))).toEqual(['0/end serial-form']);
    const book = createBook(createBundle(old, OLD_START, OLD_START + 10n, listed('a')));
    const selection = createSelection(old, OLD_START, OLD_START + 5n);
    expect(selection.firstText).toMatch(/^000/);
    expect(
      toCodes(
        book.move({
          selections: [{ ...selection, firstText: String(OLD_START) }],
          from: movableOf('a'),
          to: listed('b'),
        }),
      ),
    ).toEqual(['0/start serial-form']);
    expect(toCodes(book.move({ selections: [selection], from: movableOf('a'), to: listed('b') }))).toEqual(['taken']);
  });

  test.each(['RESERVED', 'RETIRED', 'OFFRAMPED', 'HELD'] as const)('refuses a %s bundle', (state) => {
    const book = createBook(createBundle(plain, 1n, 10n, { ...listed('a'), state }));
    expect(toCodes(book.move({ selections: [on(1n, 4n)], from: movableOf('a'), to: listed('b') }))).toEqual([
      '0/start bundle-start',
    ]);
  });

  test('returns the source of each selection: the remainder after the previous one', () => {
    const bundle = createBundle(plain, 1n, 10n, listed('a'));
    const outcome = createBook(bundle).move({
      selections: [on(1n, 5n), on(6n, 10n)],
      from: movableOf('a'),
      to: listed('b'),
    });
    if ('faults' in outcome) throw new Error('refused');
    expect(outcome.taken.map(toText)).toEqual(['1-5', '6-10']);
    expect(outcome.taken.every(({ source }) => source === bundle)).toBe(true);
    expect(outcome.taken.map((taken) => taken.bundle.id)).toEqual([undefined, bundle.id]);
  });
});

describe('taking a selection that may begin within a bundle', () => {
  const on = (first: bigint, last: bigint): Selection => createSelection(plain, first, last);
  const moveIn = (book: BundleBook, selections: Selection[], owner = 'a') =>
    book.move({ selections, anywhere: true, from: movableOf(owner), to: listed('b') });
  const one = () => createBook(createBundle(plain, 1n, 10n, listed('a')));

  test.each<[string, Selection[], string[]]>([
    ['the middle', [on(4n, 6n)], ['1-3 a', '4-6 b', '7-10 a']],
    ['the first part', [on(1n, 4n)], ['1-4 b', '5-10 a']],
    ['the last part', [on(8n, 10n)], ['1-7 a', '8-10 b']],
    ['the whole bundle', [on(1n, 10n)], ['1-10 b']],
    ['two parts, the later one first', [on(7n, 8n), on(2n, 3n)], ['1-1 a', '2-3 b', '4-6 a', '7-8 b', '9-10 a']],
  ])('takes %s and keeps the rest', (_name, selections, expected) => {
    const book = one();
    expect(toCodes(moveIn(book, selections))).toEqual(['taken']);
    const parts = book.listChanged().toSorted((a, b) => (a.first < b.first ? -1 : 1));
    expect(parts.map((part) => `${toText(part)} ${part.ownerId}`)).toEqual(expected);
  });

  test.each<[string, Selection[], string[]]>([
    ['an end behind the bundle', [on(4n, 11n)], ['0/end bundle-end']],
    ['a start behind it', [on(11n, 12n)], ['0/start bundle']],
    ['overlapping selections', [on(4n, 6n), on(6n, 7n)], ['1/start selection-overlap']],
    ['an end before the start', [on(5n, 4n)], ['0/end selection-order']],
  ])('refuses %s', (_name, selections, expected) => {
    const book = one();
    expect(toCodes(moveIn(book, selections))).toEqual(expected);
    expect(book.listChanged()).toEqual([]);
  });

  test('refuses a bundle of another owner', () => {
    expect(toCodes(moveIn(one(), [on(4n, 6n)], 'x'))).toEqual(['0/start bundle']);
  });

  test('does not change the book if another selection is refused', () => {
    const book = one();
    expect(toCodes(moveIn(book, [on(4n, 6n), on(9n, 12n)]))).toEqual(['1/end bundle-end']);
    expect(book.listChanged()).toEqual([]);
    expect(toCodes(moveIn(book, [on(1n, 10n)]))).toEqual(['taken']);
  });
});

describe('undoing a reservation', () => {
  const reserved = (first: bigint, last: bigint): Bundle => createBundle(plain, first, last, reservedFor('a'));
  const undo = (book: BundleBook, bundles: Bundle[]): void => {
    for (const bundle of bundles) book.reassign(bundle, listed('a'));
    book.mergeNeighbours(bundles);
  };

  test('merges the neighbours of the same owner on both sides', () => {
    const [before, middle, after] = [
      createBundle(plain, 1n, 3n, listed('a')),
      reserved(4n, 6n),
      createBundle(plain, 7n, 10n, listed('a')),
    ] as const;
    const book = createBook(before, middle, after);
    undo(book, [middle]);
    expect(book.listChanged().map(toText)).toEqual(['1-10']);
    expect(book.listChanged()[0]?.id).toBe(after.id);
    expect(
      book
        .listMerges()
        .map(({ absorbed }) => absorbed.id)
        .toSorted(),
    ).toEqual([before.id, middle.id].toSorted());
  });

  test.each<[string, Holding]>([
    ['another owner', listed('b')],
    ['another channel', { ...listed('a'), salesChannelId: 'd' }],
    ['another reservation', reservedFor('a')],
    ['retired certificates', retiredBy('a')],
  ])('does not merge neighbours of %s', (_name, holding) => {
    const middle = reserved(4n, 6n);
    const book = createBook(createBundle(plain, 1n, 3n, holding), middle, createBundle(plain, 7n, 10n, holding));
    undo(book, [middle]);
    expect(book.listChanged().map(toText)).toEqual(['4-6']);
    expect(book.listMerges()).toEqual([]);
  });

  test('merges neighbours in any order of selections', () => {
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 0, 2],
      [2, 0, 1],
      [0, 2, 1],
      [1, 2, 0],
    ] as const) {
      const parts = [reserved(3n, 4n), reserved(5n, 6n), reserved(7n, 8n)] as const;
      const book = createBook(
        createBundle(plain, 1n, 2n, listed('a')),
        ...parts,
        createBundle(plain, 9n, 10n, listed('a')),
      );
      undo(
        book,
        order.map((index) => parts[index]),
      );
      expect(book.listChanged().map(toText)).toEqual(['1-10']);
      expect(book.listMerges()).toHaveLength(4);
    }
  });
});

test('a refused move does not change a book, even one with earlier changes', () => {
  const bundle = createBundle(plain, 1n, 10n, listed('a'));
  const book = createBook(bundle);
  const selections = (...ranges: [bigint, bigint][]) =>
    ranges.map(([first, last]) => createSelection(plain, first, last));
  expect(toCodes(book.move({ selections: selections([1n, 2n]), from: movableOf('a'), to: listed('b') }))).toEqual([
    'taken',
  ]);
  const before = toChangesText(book);
  expect(
    toCodes(
      book.move({ selections: selections([3n, 4n], [5n, 6n], [9n, 10n]), from: movableOf('a'), to: listed('b') }),
    ),
  ).toEqual(['2/start bundle-start']);
  expect(toChangesText(book)).toBe(before);
  expect(
    toCodes(book.move({ selections: selections([3n, 4n], [5n, 10n]), from: movableOf('a'), to: listed('b') })),
  ).toEqual(['taken']);
  expect(book.listChanged().map(toText).toSorted()).toEqual(['1-2', '3-4', '5-10']);
});
