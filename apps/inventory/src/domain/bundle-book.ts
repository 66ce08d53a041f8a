import { formatSerial } from '@saleschannel/primitives';
import type { Bundle, BundleState, Holding } from './bundle.ts';
import { BundleIndex } from './bundle-index.ts';
import { faultsBetween, type Fault, type Selection } from './selection.ts';

/** The ledger's rules: which selections can be carried out, and how bundles split, move and become one again. */

/** A selection that was taken out of a bundle. */
export interface Taken {
  /** What the selection became. */
  readonly bundle: Bundle;
  /** What it was part of. The same bundle where the selection is all that was left of it. */
  readonly source: Bundle;
  /** Where the source began when the selection was taken. */
  readonly sourceFirst: bigint;
  /** What lay before the selection, where that began within the bundle. It stays with its owner. */
  readonly before: Bundle | undefined;
  readonly first: bigint;
  readonly last: bigint;
}

export interface Movement {
  readonly selections: readonly Selection[];
  /** Whether selections may begin anywhere within a bundle. Otherwise each begins where a bundle does. */
  readonly anywhere?: boolean | undefined;
  /** Whose bundles may be taken, and in which states. */
  readonly from: Omit<Holding, 'state'> & { readonly states: readonly BundleState[] };
  readonly to: Holding;
}

/** The bundles that one batch works on, by where they start. */
export class BundleBook {
  readonly #byStart = new BundleIndex();
  readonly #changed = new Set<Bundle>();
  readonly #merged: { absorbed: Bundle; into: Bundle }[] = [];
  readonly #absorbed = new Set<Bundle>();

  /** Adds a stored bundle. One that is known already stays as the batch has changed it. */
  add(bundle: Bundle): void {
    if (!this.#byStart.startingAt(bundle.issuance.issuanceId, bundle.first)) this.#byStart.put(bundle);
  }

  /** Bundles to be written: changed ones and, without an id, new ones. */
  changed(): Bundle[] {
    return [...this.#changed];
  }

  merged(): readonly { absorbed: Bundle; into: Bundle }[] {
    return this.#merged;
  }

  /**
   * Moves all selections or none, in their order. Each must start where a bundle of the owner starts, or anywhere
   * within it if that is said, and end within it. What is left behind it keeps the bundle's identity. What is left
   * before it becomes a bundle of its own.
   * @returns what was taken, or every fault
   */
  move({ selections, anywhere = false, from, to }: Movement): { taken: Taken[] } | { faults: Fault[] } {
    const faults = faultsBetween(selections);
    if (faults.length > 0) return { faults };
    const undo: (() => void)[] = [];
    const taken: Taken[] = [];
    selections.forEach((selection, index) => {
      const found = this.#find(selection, index, from, anywhere);
      if ('code' in found) faults.push(found);
      else taken.push(this.#take(found, selection, to, undo));
    });
    if (faults.length === 0) return { taken };
    for (const step of undo.reverse()) step();
    return { faults };
  }

  /** Gives a whole bundle to another holder: a reservation that is approved or undone. */
  reassign(bundle: Bundle, to: Holding): void {
    bundle.ownerId = to.ownerId;
    bundle.salesChannelId = to.salesChannelId;
    bundle.state = to.state;
    this.#changed.add(bundle);
  }

  /**
   * Makes each bundle and its listable neighbours of the same owner one again. Of those that become one, the one that
   * ends last keeps its identity.
   */
  joinNeighbours(bundles: readonly Bundle[]): void {
    for (const bundle of bundles) {
      // Another one of them has taken it in before.
      if (this.#absorbed.has(bundle)) continue;
      this.#absorbBefore(bundle);
      const next = this.#byStart.startingAt(bundle.issuance.issuanceId, bundle.last + 1n);
      if (next) this.#absorbBefore(next);
    }
  }

  /** Extends a bundle over all that end right before it, one after the other, and have the same holding. */
  #absorbBefore(bundle: Bundle): void {
    for (;;) {
      const before = this.#endingBefore(bundle);
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

  #endingBefore({ issuance, first }: Bundle): Bundle | undefined {
    const before = this.#byStart.holding(issuance.issuanceId, first - 1n);
    return before?.last === first - 1n ? before : undefined;
  }

  /** The bundle that the selection can be taken from, or what is wrong with the selection. */
  #find(selection: Selection, index: number, from: Movement['from'], anywhere: boolean): Bundle | Fault {
    const fault = (field: Fault['field'], code: Fault['code'], detail: string): Fault => ({
      index,
      field,
      code,
      detail,
    });
    const bundle = anywhere
      ? this.#byStart.holding(selection.issuanceId, selection.first)
      : this.#byStart.startingAt(selection.issuanceId, selection.first);
    const isOurs =
      bundle &&
      bundle.ownerId === from.ownerId &&
      bundle.salesChannelId === from.salesChannelId &&
      from.states.includes(bundle.state);
    // The same answer for serials that do not exist, are another owner's, or are inside of a bundle: nothing is told of
    // others.
    if (!isOurs && anywhere)
      return fault('start', 'bundle', 'No bundle of this owner that can be moved holds this certificate.');
    if (!isOurs)
      return fault('start', 'bundle-start', 'No bundle of this owner that can be moved starts with this certificate.');
    const { form, expired } = bundle.issuance;
    const first = formatSerial(selection.first, form);
    if (first !== selection.firstText)
      return fault('start', 'serial-form', `The serial is written ${first} in this issuance.`);
    if (expired) return fault('start', 'expired', 'The certificates have expired.');
    if (selection.last > bundle.last)
      return fault('end', 'bundle-end', `The bundle ends with serial ${formatSerial(bundle.last, form)}.`);
    const last = formatSerial(selection.last, form);
    if (last !== selection.lastText)
      return fault('end', 'serial-form', `The serial is written ${last} in this issuance.`);
    return bundle;
  }

  #take(source: Bundle, { first, last }: Selection, to: Holding, undo: (() => void)[]): Taken {
    const { first: sourceFirst } = source;
    const before = this.#leaveBefore(source, first, undo);
    const bundle = last === source.last ? source : this.#cut(source, last, to, undo);
    if (bundle === source) this.#change(source, to, undo);
    return { bundle, source, sourceFirst, before, first, last };
  }

  /** Cuts off what lies before a certificate of the bundle, if there is something. It stays with the owner. */
  #leaveBefore(source: Bundle, first: bigint, undo: (() => void)[]): Bundle | undefined {
    if (first === source.first) return undefined;
    const { ownerId, salesChannelId, state } = source;
    return this.#cut(source, first - 1n, { ownerId, salesChannelId, state }, undo);
  }

  /** Cuts a bundle behind a certificate of it. What lies before becomes a new bundle, the rest is still the old one. */
  #cut(source: Bundle, last: bigint, holding: Holding, undo: (() => void)[]): Bundle {
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

/**
 * What would be taken if a trader moved the selections out of these bundles, which stay as they are. The rules are
 * those of the real thing, for it is the same book.
 */
export function tryMove(
  selections: readonly Selection[],
  bundles: readonly Bundle[],
  trader: Omit<Holding, 'state'>,
  { anywhere }: Pick<Movement, 'anywhere'> = {},
): { taken: Taken[] } | { faults: Fault[] } {
  const book = new BundleBook();
  for (const bundle of bundles) book.add({ ...bundle });
  const from = { ...trader, states: ['LISTABLE'] } as const;
  return book.move({ selections, anywhere, from, to: { ...trader, state: 'RESERVED' } });
}
