import { formatSerial } from '@saleschannel/primitives';
import { type Bundle, type BundleState, type Holding, BundleIndex } from './bundle.ts';
import { findSelectionFaults, type Fault, type Selection } from './selection.ts';

/** The rules of the ledger: which selections can move, and how bundles split, move and merge. */

/** A selection that was taken out of a bundle. */
export interface TakenSelection {
  readonly bundle: Bundle;
  /** The bundle that it was taken from. The same as `bundle` if nothing remains behind the selection. */
  readonly source: Bundle;
  /** First serial of the source before the selection was taken. */
  readonly sourceFirst: bigint;
  /** The part before a selection that begins within a bundle. It stays with its owner. */
  readonly before: Bundle | undefined;
  readonly first: bigint;
  readonly last: bigint;
}

export interface Movement {
  readonly selections: readonly Selection[];
  /** True: selections may begin anywhere within a bundle. Otherwise only at its start. */
  readonly anywhere?: boolean | undefined;
  /** Owner and states of the bundles that may be taken. */
  readonly from: Omit<Holding, 'state'> & { readonly states: readonly BundleState[] };
  readonly to: Holding;
}

/** The bundles of one batch. */
export class BundleBook {
  readonly #byStart = new BundleIndex();
  readonly #changed = new Set<Bundle>();
  readonly #merged: { absorbed: Bundle; into: Bundle }[] = [];
  readonly #absorbed = new Set<Bundle>();

  /** Adds a stored bundle. A bundle that the batch has read before keeps its changes. */
  add(bundle: Bundle): void {
    if (!this.#byStart.findStartingAt(bundle.issuance.issuanceId, bundle.first)) this.#byStart.put(bundle);
  }

  /** Returns the bundles to write. New bundles have no id. */
  listChanged(): Bundle[] {
    return [...this.#changed];
  }

  listMerges(): readonly { absorbed: Bundle; into: Bundle }[] {
    return this.#merged;
  }

  /**
   * Moves all selections in order, or none. The part behind a selection keeps the identity of its bundle, the part
   * before it becomes a new bundle.
   * @returns the taken selections, or every fault
   */
  move({ selections, anywhere = false, from, to }: Movement): { taken: TakenSelection[] } | { faults: Fault[] } {
    const faults = findSelectionFaults(selections);
    if (faults.length > 0) return { faults };
    const undo: (() => void)[] = [];
    const taken: TakenSelection[] = [];
    selections.forEach((selection, index) => {
      const found = this.#find(selection, index, from, anywhere);
      if ('code' in found) faults.push(found);
      else taken.push(this.#take(found, selection, to, undo));
    });
    if (faults.length === 0) return { taken };
    for (const step of undo.reverse()) step();
    return { faults };
  }

  /** Gives a whole bundle to another owner: a reservation that is approved or undone. */
  reassign(bundle: Bundle, to: Holding): void {
    bundle.ownerId = to.ownerId;
    bundle.salesChannelId = to.salesChannelId;
    bundle.state = to.state;
    this.#changed.add(bundle);
  }

  /** Merges each bundle with its listable neighbours of the same owner. The last bundle keeps its identity. */
  mergeNeighbours(bundles: readonly Bundle[]): void {
    for (const bundle of bundles) {
      // An earlier bundle of the list has absorbed it.
      if (this.#absorbed.has(bundle)) continue;
      this.#mergePreceding(bundle);
      const next = this.#byStart.findStartingAt(bundle.issuance.issuanceId, bundle.last + 1n);
      if (next) this.#mergePreceding(next);
    }
  }

  /** Merges adjacent preceding bundles with the same owner and state into this one. */
  #mergePreceding(bundle: Bundle): void {
    for (;;) {
      const before = this.#findPreceding(bundle);
      if (!before || !isSameHolding(before, bundle)) return;
      this.#byStart.remove(bundle);
      this.#byStart.remove(before);
      bundle.first = before.first;
      this.#byStart.put(bundle);
      this.#changed.delete(before);
      this.#changed.add(bundle);
      this.#absorbed.add(before);
      this.#merged.push({ absorbed: before, into: bundle });
    }
  }

  #findPreceding({ issuance, first }: Bundle): Bundle | undefined {
    const before = this.#byStart.findContaining(issuance.issuanceId, first - 1n);
    return before?.last === first - 1n ? before : undefined;
  }

  /** Returns the bundle that the selection can be taken from, or the fault of the selection. */
  #find(selection: Selection, index: number, from: Movement['from'], anywhere: boolean): Bundle | Fault {
    const fault = (field: Fault['field'], code: Fault['code'], detail: string): Fault => ({
      index,
      field,
      code,
      detail,
    });
    const bundle = anywhere
      ? this.#byStart.findContaining(selection.issuanceId, selection.first)
      : this.#byStart.findStartingAt(selection.issuanceId, selection.first);
    const isMovable =
      bundle &&
      bundle.ownerId === from.ownerId &&
      bundle.salesChannelId === from.salesChannelId &&
      from.states.includes(bundle.state);
    // Unknown serials, other owners and serials within a bundle have the same fault, which reveals nothing of others.
    if (!isMovable && anywhere)
      return fault('start', 'bundle', 'This certificate is not in a bundle that the owner can move.');
    if (!isMovable)
      return fault('start', 'bundle-start', 'This certificate is not the first of a bundle that the owner can move.');
    const { form, expired } = bundle.issuance;
    const first = formatSerial(selection.first, form);
    if (first !== selection.firstText)
      return fault('start', 'serial-form', `In this issuance the serial is written as ${first}.`);
    if (expired) return fault('start', 'expired', 'The certificates have expired.');
    if (selection.last > bundle.last)
      return fault('end', 'bundle-end', `The bundle ends with serial ${formatSerial(bundle.last, form)}.`);
    const last = formatSerial(selection.last, form);
    if (last !== selection.lastText)
      return fault('end', 'serial-form', `In this issuance the serial is written as ${last}.`);
    return bundle;
  }

  #take(source: Bundle, { first, last }: Selection, to: Holding, undo: (() => void)[]): TakenSelection {
    const { first: sourceFirst } = source;
    const before = this.#splitBefore(source, first, undo);
    const bundle = last === source.last ? source : this.#split(source, last, to, undo);
    if (bundle === source) this.#change(source, to, undo);
    return { bundle, source, sourceFirst, before, first, last };
  }

  /** Splits off the part before a certificate, if there is one. It stays with the owner. */
  #splitBefore(source: Bundle, first: bigint, undo: (() => void)[]): Bundle | undefined {
    if (first === source.first) return undefined;
    const { ownerId, salesChannelId, state } = source;
    return this.#split(source, first - 1n, { ownerId, salesChannelId, state }, undo);
  }

  /** Splits a bundle behind a certificate. The part before becomes a new bundle, the rest keeps its identity. */
  #split(source: Bundle, last: bigint, holding: Holding, undo: (() => void)[]): Bundle {
    const { issuance, first } = source;
    const part: Bundle = { id: undefined, issuance, first, last, ...holding };
    this.#byStart.remove(source);
    this.#change(source, { first: last + 1n }, undo);
    this.#byStart.put(part);
    this.#byStart.put(source);
    this.#changed.add(part);
    undo.push(() => {
      this.#changed.delete(part);
      this.#byStart.remove(part);
      this.#byStart.remove(source);
      source.first = first;
      this.#byStart.put(source);
    });
    return part;
  }

  #change(bundle: Bundle, members: Partial<Bundle>, undo: (() => void)[]): void {
    const before = { ...bundle };
    const wasChanged = this.#changed.has(bundle);
    Object.assign(bundle, members);
    this.#changed.add(bundle);
    undo.push(() => this.#restore(bundle, before, wasChanged));
  }

  #restore(bundle: Bundle, before: Bundle, wasChanged: boolean): void {
    Object.assign(bundle, before);
    if (!wasChanged) this.#changed.delete(bundle);
  }
}

const isSameHolding = (a: Holding, b: Holding): boolean =>
  a.state === 'LISTABLE' && b.state === 'LISTABLE' && a.ownerId === b.ownerId && a.salesChannelId === b.salesChannelId;

/** Returns the outcome of moving the selections out of a trader's bundles, without changing them. */
export function tryMove(
  selections: readonly Selection[],
  bundles: readonly Bundle[],
  trader: Omit<Holding, 'state'>,
  { anywhere }: Pick<Movement, 'anywhere'> = {},
): { taken: TakenSelection[] } | { faults: Fault[] } {
  const book = new BundleBook();
  for (const bundle of bundles) book.add({ ...bundle });
  const from = { ...trader, states: ['LISTABLE'] } as const;
  return book.move({ selections, anywhere, from, to: { ...trader, state: 'RESERVED' } });
}
