import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  createBundle,
  movableOf,
  listed,
  newBundleId,
  old,
  OLD_START,
  plain,
  reservedFor,
  retiredBy,
  createSelection,
  toChangesText,
} from '../../test/support/books.ts';
import { BundleBook, type TakenSelection } from './bundle-book.ts';
import type { Bundle } from './bundle.ts';
import { listStarts, type Certificate, type Selection } from './selection.ts';

const contains = ({ issuance, first, last }: Bundle, { issuanceId, serial }: Certificate): boolean =>
  issuance.issuanceId === issuanceId && first <= serial && serial <= last;

/** Saves books as the store does, and checks the rules of the ledger. */
class Store {
  readonly bundles = new Map<string | undefined, Bundle>();

  constructor(bundles: Bundle[]) {
    for (const bundle of bundles) this.bundles.set(bundle.id, { ...bundle });
  }

  /** Loads the bundles that contain the certificates, as operations do. */
  load(certificates: readonly Certificate[]): BundleBook {
    const book = new BundleBook();
    for (const bundle of this.bundles.values())
      if (certificates.some((certificate) => contains(bundle, certificate))) book.add({ ...bundle });
    return book;
  }

  save(book: BundleBook): void {
    for (const { absorbed } of book.listMerges())
      if (!this.bundles.delete(absorbed.id)) throw new Error('a bundle was merged twice');
    for (const bundle of book.listChanged()) {
      bundle.id ??= newBundleId();
      const before = this.bundles.get(bundle.id);
      if (before && before.last !== bundle.last) throw new Error('the last serial of a bundle must not change');
      this.bundles.set(bundle.id, { ...bundle });
    }
  }

  list(issuanceId: string): Bundle[] {
    return [...this.bundles.values()]
      .filter((bundle) => bundle.issuance.issuanceId === issuanceId)
      .toSorted((a, b) => (a.first < b.first ? -1 : 1));
  }

  startingAt({ issuanceId, first }: Selection): Bundle {
    const bundle = this.list(issuanceId).find((each) => each.first === first);
    if (!bundle) throw new Error('no bundle starts here');
    return bundle;
  }

  /** Owner and state of each certificate. */
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
type Owner = 'a' | 'b';
const getOther = (owner: Owner): Owner => (owner === 'a' ? 'b' : 'a');

type Step = {
  kind: 'move' | 'reserve' | 'retire' | 'wild' | 'approve' | 'reject';
  seller: Owner;
  anywhere: boolean;
  /** `gap` precedes the selection. */
  picks: { bundle: number; gap: number; length: number }[];
  index: number;
};
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('move', 'reserve', 'reserve', 'retire', 'wild', 'approve', 'reject', 'reject'),
  seller: fc.constantFrom('a', 'b'),
  anywhere: fc.boolean(),
  picks: fc.array(fc.record({ bundle: fc.nat(30), gap: fc.nat(3), length: fc.nat(8) }), {
    minLength: 1,
    maxLength: 4,
    size: 'max',
  }),
  index: fc.nat(10),
});

/**
 * Creates valid selections: consecutive parts of the owner's bundles. With `anywhere`, with gaps between them and in
 * reverse order.
 */
function createValidSelections(store: Store, owner: string, { picks, anywhere }: Step): Selection[] {
  const next = new Map<Bundle, bigint>();
  const selections = picks.flatMap(({ bundle: pick, gap, length }) => {
    const own = [plain, old]
      .flatMap((issuance) => store.list(issuance.issuanceId))
      .filter(({ ownerId, state }) => ownerId === owner && state === 'LISTABLE');
    const bundle = own[pick % own.length];
    const first = bundle && (next.get(bundle) ?? bundle.first) + BigInt(anywhere ? gap : 0);
    if (!bundle || first === undefined || first > bundle.last) return [];
    const last = first + BigInt(length) > bundle.last ? bundle.last : first + BigInt(length);
    next.set(bundle, last + 1n);
    return [createSelection(bundle.issuance, first, last)];
  });
  return anywhere ? selections.toReversed() : selections;
}

function createWildSelections(picks: Step['picks']): Selection[] {
  return picks.map(({ bundle, length }) => {
    const issuance = bundle % 2 === 0 ? plain : old;
    const first = (starts.get(issuance) ?? 0n) + BigInt(bundle - 2);
    return createSelection(
      issuance,
      first < 1n ? 1n : first,
      first + BigInt(length) < 1n ? 1n : first + BigInt(length),
    );
  });
}

const certificatesAround = (parts: readonly Selection[]): Certificate[] =>
  parts.flatMap(({ issuanceId, first, last }) =>
    [first - 1n, first, last + 1n].map((serial) => ({ issuanceId, serial })),
  );

test('after any requests, each certificate is in one bundle, none is lost, and refusals change nothing', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => {
      const store = new Store(
        [...starts].map(([issuance, first]) => createBundle(issuance, first, first + VOLUME - 1n, listed('a'))),
      );
      const pending: { seller: Owner; parts: Selection[] }[] = [];
      for (const each of steps) {
        const { kind, seller, anywhere, picks, index } = each;
        const expected = store.cells();
        if (kind === 'approve' || kind === 'reject') {
          const [decided] = pending.splice(index % (pending.length || 1), 1);
          if (!decided) continue;
          const owner = kind === 'approve' ? getOther(decided.seller) : decided.seller;
          const book = store.load(certificatesAround(decided.parts));
          const bundles = decided.parts.map((part) => store.startingAt(part));
          const copies = bundles.map((bundle) => findInBook(book, bundle));
          for (const bundle of copies) book.reassign(bundle, listed(owner));
          if (kind === 'reject') book.mergeNeighbours(copies);
          store.save(book);
          fill(expected, decided.parts, `${owner} LISTABLE`);
          if (kind === 'reject') for (const bundle of bundles) expectMerged(store, bundle);
        } else {
          const selections = kind === 'wild' ? createWildSelections(picks) : createValidSelections(store, seller, each);
          if (selections.length === 0) continue;
          const book = store.load(listStarts(selections));
          const before = toChangesText(book);
          const to = destinations[kind](seller);
          const outcome = book.move({ selections, anywhere, from: movableOf(seller), to });
          if ('faults' in outcome) {
            expect(kind).toBe('wild');
            expect(toChangesText(book)).toBe(before);
          } else {
            fill(expected, selections, `${to.ownerId} ${to.state}`);
            for (const part of outcome.taken) expectLineage(part);
            if (kind === 'reserve') pending.push({ seller, parts: selections });
          }
          store.save(book);
        }
        // Each certificate is in one bundle, with the expected owner and state.
        expect(store.cells()).toEqual(expected);
      }
    }),
    { numRuns: 500 },
  );
});

const destinations = {
  move: (seller: Owner) => listed(getOther(seller)),
  wild: (seller: Owner) => listed(getOther(seller)),
  reserve: reservedFor,
  retire: retiredBy,
};

/** Returns the book's copy of a stored bundle. */
function findInBook(book: BundleBook, { id, issuance, first, last, ownerId, salesChannelId, state }: Bundle): Bundle {
  const outcome = book.move({
    selections: [createSelection(issuance, first, last)],
    from: { ownerId, salesChannelId, states: [state] },
    to: { ownerId, salesChannelId, state },
  });
  const taken = 'taken' in outcome ? outcome.taken[0] : undefined;
  if (!taken || taken.bundle.id !== id) throw new Error('the reservation is not in the book');
  return taken.bundle;
}

function fill(cells: Map<string, string>, parts: readonly Selection[], holder: string): void {
  for (const { issuanceId, first, last } of parts)
    for (let serial = first; serial <= last; serial++) cells.set(`${issuanceId}_${serial}`, holder);
}

/** Expects a taken selection to name its source and the part before it. */
function expectLineage({ bundle, source, sourceFirst, before, first, last }: TakenSelection): void {
  expect(sourceFirst <= first && last <= source.last).toBe(true);
  expect(bundle.last).toBe(last);
  expect(before?.last).toBe(sourceFirst < first ? first - 1n : undefined);
}

/** Expects adjacent listable certificates of the same owner to be in the same bundle. */
function expectMerged(store: Store, { issuance, first, last }: Bundle): void {
  const findBundle = (serial: bigint): Bundle | undefined =>
    store.list(issuance.issuanceId).find((bundle) => bundle.first <= serial && serial <= bundle.last);
  const own = findBundle(first);
  for (const adjacent of [findBundle(first - 1n), findBundle(last + 1n)]) {
    if (adjacent?.state === 'LISTABLE' && adjacent.ownerId === own?.ownerId) expect(adjacent).toBe(own);
  }
}
