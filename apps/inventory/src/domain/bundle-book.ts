import { formatSerial } from '@saleschannel/primitives';
import type { Bundle, BundleState, Holding } from './bundle.ts';
import { faultsBetween, type Fault, type Selection } from './selection.ts';

/** The ledger's rules: which selections can be carried out, and how bundles split, move and become one again. */

/** A selection that was taken out of a bundle. */
export interface Taken {
  /** What the selection became. */
  readonly bundle: Bundle;
  /** What it was part of. The same bundle where the selection is all that was left of it. */
  readonly source: Bundle;
  readonly first: bigint;
  readonly last: bigint;
}

export interface Movement {
  readonly selections: readonly Selection[];
  /** Whose bundles may be taken, and in which states. */
  readonly from: Omit<Holding, 'state'> & { readonly states: readonly BundleState[] };
  readonly to: Holding;
}

const key = (issuanceId: string, first: bigint): string => `${issuanceId}/${first}`;

/** The bundles that one batch works on, by where they start. */
export class BundleBook {
  readonly #byStart = new Map<string, Bundle>();
  readonly #changed = new Set<Bundle>();
  readonly #merged: { absorbed: Bundle; into: Bundle }[] = [];
  readonly #absorbed = new Set<Bundle>();

  /** Adds a stored bundle. One that is known already stays as the batch has changed it. */
  add(bundle: Bundle): void {
    const at = key(bundle.issuance.issuanceId, bundle.first);
    if (!this.#byStart.has(at)) this.#byStart.set(at, bundle);
  }

  /** Adds a new bundle, to be written. */
  open(bundle: Bundle): void {
    this.add(bundle);
    this.#changed.add(bundle);
  }

  /** Bundles to be written: changed ones and, without an id, new ones. */
  changed(): Bundle[] {
    return [...this.#changed];
  }

  merged(): readonly { absorbed: Bundle; into: Bundle }[] {
    return this.#merged;
  }

  /**
   * Moves all selections or none, in their order. Each must start where a bundle of the owner starts, and end within
   * it. A part that is left keeps the bundle's identity and starts right behind.
   * @returns what was taken, or every fault
   */
  move({ selections, from, to }: Movement): { taken: Taken[] } | { faults: Fault[] } {
    const faults = faultsBetween(selections);
    if (faults.length > 0) return { faults };
    const undo: (() => void)[] = [];
    const taken: Taken[] = [];
    selections.forEach((selection, index) => {
      const found = this.#find(selection, index, from);
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
      const next = this.#byStart.get(key(bundle.issuance.issuanceId, bundle.last + 1n));
      if (next) this.#absorbBefore(next);
    }
  }

  /** Extends a bundle over all that end right before it, one after the other, and have the same holding. */
  #absorbBefore(bundle: Bundle): void {
    const { issuanceId } = bundle.issuance;
    for (;;) {
      const before = this.#endingBefore(bundle);
      if (!before || !isSameHolding(before, bundle)) return;
      this.#byStart.delete(key(issuanceId, bundle.first));
      bundle.first = before.first;
      this.#byStart.set(key(issuanceId, bundle.first), bundle);
      this.#changed.delete(before);
      this.#changed.add(bundle);
      this.#absorbed.add(before);
      this.#merged.push({ absorbed: before, into: bundle });
    }
  }

  #endingBefore({ issuance, first }: Bundle): Bundle | undefined {
    for (const each of this.#byStart.values())
      if (each.issuance.issuanceId === issuance.issuanceId && each.last === first - 1n) return each;
    return undefined;
  }

  /** The bundle that the selection can be taken from, or what is wrong with the selection. */
  #find(selection: Selection, index: number, from: Movement['from']): Bundle | Fault {
    const fault = (field: Fault['field'], code: Fault['code'], detail: string): Fault => ({
      index,
      field,
      code,
      detail,
    });
    const bundle = this.#byStart.get(key(selection.issuanceId, selection.first));
    const isOurs =
      bundle &&
      bundle.ownerId === from.ownerId &&
      bundle.salesChannelId === from.salesChannelId &&
      from.states.includes(bundle.state);
    // The same answer for serials that do not exist, are another owner's, or are inside of a bundle: nothing is told of
    // others.
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
    const before = { ...source };
    const wasChanged = this.#changed.has(source);
    const { issuance } = source;
    this.#changed.add(source);
    if (last === source.last) {
      Object.assign(source, to);
      undo.push(() => this.#restore(source, before, wasChanged));
      return { bundle: source, source, first, last };
    }
    const bundle: Bundle = { id: undefined, issuance, first, last, ...to };
    source.first = last + 1n;
    this.#byStart.set(key(issuance.issuanceId, bundle.first), bundle);
    this.#byStart.set(key(issuance.issuanceId, source.first), source);
    this.#changed.add(bundle);
    undo.push(() => {
      this.#byStart.delete(key(issuance.issuanceId, source.first));
      this.#changed.delete(bundle);
      this.#restore(source, before, wasChanged);
      this.#byStart.set(key(issuance.issuanceId, before.first), source);
    });
    return { bundle, source, first, last };
  }

  #restore(bundle: Bundle, before: Bundle, wasChanged: boolean): void {
    Object.assign(bundle, before);
    if (!wasChanged) this.#changed.delete(bundle);
  }
}

const isSameHolding = (a: Holding, b: Holding): boolean =>
  a.state === 'LISTABLE' && b.state === 'LISTABLE' && a.ownerId === b.ownerId && a.salesChannelId === b.salesChannelId;

/** What keeps a trader from moving the selections out of these bundles, which stay as they are. */
export function faultsOf(
  selections: readonly Selection[],
  bundles: readonly Bundle[],
  trader: Omit<Holding, 'state'>,
): Fault[] {
  const book = new BundleBook();
  for (const bundle of bundles) book.add({ ...bundle });
  const from = { ...trader, states: ['LISTABLE'] } as const;
  const outcome = book.move({ selections, from, to: { ...trader, state: 'RESERVED' } });
  return 'faults' in outcome ? outcome.faults : [];
}
