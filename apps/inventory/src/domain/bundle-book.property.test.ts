import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  bundleOf,
  from,
  listed,
  newBundleId,
  old,
  OLD_START,
  plain,
  reservedFor,
  retiredBy,
  select,
  state,
} from '../../test/books.ts';
import { BundleBook, type Bundle, type Selection } from './bundle-book.ts';

/** What the store does with a book, and the rules that the ledger lives by. */
class Store {
  readonly bundles = new Map<string, Bundle>();

  constructor(bundles: Bundle[]) {
    for (const bundle of bundles) this.bundles.set(bundle.id ?? '', { ...bundle });
  }

  /** Loads the bundles that hold the certificates, as the operations do. */
  load(points: { issuanceId: string; serial: bigint }[]): BundleBook {
    const book = new BundleBook();
    for (const bundle of this.bundles.values()) {
      if (
        points.some(
          ({ issuanceId, serial }) =>
            bundle.issuance.issuanceId === issuanceId && bundle.first <= serial && serial <= bundle.last,
        )
      )
        book.add({ ...bundle });
    }
    return book;
  }

  save(book: BundleBook): void {
    for (const { absorbed } of book.merged())
      if (!this.bundles.delete(absorbed.id ?? '')) throw new Error('a bundle was merged away twice');
    for (const bundle of book.changed()) {
      bundle.id ??= newBundleId();
      const before = this.bundles.get(bundle.id);
      if (before && before.last !== bundle.last) throw new Error('the end of a bundle identifies it and must not move');
      this.bundles.set(bundle.id, { ...bundle });
    }
  }

  of(issuanceId: string): Bundle[] {
    return [...this.bundles.values()]
      .filter((bundle) => bundle.issuance.issuanceId === issuanceId)
      .toSorted((a, b) => (a.first < b.first ? -1 : 1));
  }

  /** Holder of each certificate. */
  cells(): Map<string, string> {
    const cells = new Map<string, string>();
    for (const { issuance, first, last, ownerId, state } of this.bundles.values()) {
      for (let serial = first; serial <= last; serial++) {
        const cell = `${issuance.issuanceId}_${serial}`;
        if (cells.has(cell)) throw new Error(`${cell} is in two bundles`);
        cells.set(cell, `${ownerId} ${state}`);
      }
    }
    return cells;
  }
}

const VOLUME = 24n;
const starts = new Map([
  [plain, 1n],
  [old, OLD_START],
]);
const owners = ['a', 'b'] as const;

type Step = {
  kind: 'move' | 'reserve' | 'retire' | 'wild' | 'approve' | 'reject';
  owner: 0 | 1;
  picks: { bundle: number; length: number }[];
  index: number;
};
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('move', 'reserve', 'reserve', 'retire', 'wild', 'approve', 'reject', 'reject'),
  owner: fc.constantFrom(0, 1),
  picks: fc.array(fc.record({ bundle: fc.nat(30), length: fc.nat(8) }), { minLength: 1, maxLength: 4, size: 'max' }),
  index: fc.nat(10),
});

/** Selections that hold: parts of the owner's bundles, one after another from the start of each. */
function validSelections(store: Store, owner: string, picks: Step['picks']): Selection[] {
  const next = new Map<Bundle, bigint>();
  return picks.flatMap(({ bundle: pick, length }) => {
    const mine = [plain, old]
      .flatMap((issuance) => store.of(issuance.issuanceId))
      .filter(({ ownerId, state }) => ownerId === owner && state === 'LISTABLE');
    const bundle = mine[pick % mine.length];
    const first = bundle && (next.get(bundle) ?? bundle.first);
    if (!bundle || first === undefined || first > bundle.last) return [];
    const last = first + BigInt(length) > bundle.last ? bundle.last : first + BigInt(length);
    next.set(bundle, last + 1n);
    return [select(bundle.issuance, first, last)];
  });
}

function wildSelections(picks: Step['picks']): Selection[] {
  return picks.map(({ bundle, length }) => {
    const issuance = bundle % 2 === 0 ? plain : old;
    const first = (starts.get(issuance) ?? 0n) + BigInt(bundle - 2);
    return select(issuance, first < 1n ? 1n : first, first + BigInt(length) < 1n ? 1n : first + BigInt(length));
  });
}

const pointsOf = (selections: readonly Selection[]) =>
  selections.map(({ issuanceId, first }) => ({ issuanceId, serial: first }));
const around = (parts: Selection[]) =>
  parts.flatMap(({ issuanceId, first, last }) =>
    [first - 1n, first, last + 1n].map((serial) => ({ issuanceId, serial })),
  );
test('whatever is asked, every certificate is in one bundle, nothing is lost, and what is refused changes nothing', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => {
      const store = new Store(
        [...starts].map(([issuance, first]) => bundleOf(issuance, first, first + VOLUME - 1n, listed('a'))),
      );
      const pending: { seller: string; parts: Selection[] }[] = [];
      for (const { kind, owner: index, picks, index: choice } of steps) {
        const expected = store.cells();
        const [seller, buyer] = [owners[index], owners[1 - index] as string];
        if (kind === 'approve' || kind === 'reject') {
          const [decided] = pending.splice(choice % (pending.length || 1), 1);
          if (!decided) continue;
          const book = store.load(around(decided.parts));
          const bundles = decided.parts.map(({ issuanceId, first }) =>
            [...store.bundles.values()].find((each) => each.issuance.issuanceId === issuanceId && each.first === first),
          );
          const copies = bundles.map((bundle) => inBook(book, bundle as Bundle));
          const other = owners.find((each) => each !== decided.seller) as string;
          for (const bundle of copies) book.settle(bundle, listed(kind === 'approve' ? other : decided.seller));
          if (kind === 'reject') book.joinNeighbours(copies);
          store.save(book);
          fill(expected, decided.parts, `${kind === 'approve' ? other : decided.seller} LISTABLE`);
          if (kind === 'reject') for (const bundle of bundles) expectJoined(store, bundle as Bundle);
        } else {
          const selections = kind === 'wild' ? wildSelections(picks) : validSelections(store, seller, picks);
          if (selections.length === 0) continue;
          const to = kind === 'reserve' ? reservedFor(seller) : kind === 'retire' ? retiredBy(seller) : listed(buyer);
          const book = store.load(pointsOf(selections));
          const before = state(book);
          const outcome = book.move({ selections, from: from(seller), to });
          if ('faults' in outcome) {
            expect(kind).toBe('wild');
            expect(state(book)).toBe(before);
          } else {
            fill(expected, selections, `${to.ownerId} ${to.state}`);
            if (kind === 'reserve') pending.push({ seller, parts: selections });
          }
          store.save(book);
        }
        // Cell by cell: in exactly one bundle, with the holder that it should have.
        expect(store.cells()).toEqual(expected);
      }
    }),
    { numRuns: 500 },
  );
});

/** The book's own copy of a stored bundle. */
function inBook(book: BundleBook, { id, issuance, first, last, ownerId, salesChannelId, state }: Bundle): Bundle {
  const all = book.move({
    selections: [select(issuance, first, last)],
    from: { ownerId, salesChannelId, states: [state] },
    to: { ownerId, salesChannelId, state },
  });
  if ('faults' in all || all.taken[0]?.bundle.id !== id) throw new Error('the reservation is not in the book');
  return all.taken[0]?.bundle as Bundle;
}

function fill(cells: Map<string, string>, parts: readonly Selection[], holder: string): void {
  for (const { issuanceId, first, last } of parts)
    for (let serial = first; serial <= last; serial++) cells.set(`${issuanceId}_${serial}`, holder);
}

/** The certificates right before and right behind are of the same bundle, where they are listed for the same owner. */
function expectJoined(store: Store, { issuance, first, last }: Bundle): void {
  const holding = (serial: bigint): Bundle | undefined =>
    store.of(issuance.issuanceId).find((bundle) => bundle.first <= serial && serial <= bundle.last);
  const own = holding(first);
  for (const beside of [holding(first - 1n), holding(last + 1n)]) {
    if (beside?.state === 'LISTABLE' && beside.ownerId === own?.ownerId) expect(beside).toBe(own);
  }
}
