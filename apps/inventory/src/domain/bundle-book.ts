import { formatSerial, type SerialForm } from '@saleschannel/primitives';

/** The ledger's rules, pure: which selections hold, and how bundles split, move and become one again. Nothing here knows of a database. */

export type BundleState = 'HELD' | 'LISTABLE' | 'RESERVED' | 'RETIRED' | 'OFFRAMPED';

/** Who holds a bundle: a trader in a sales channel, or an account holder outside of any. */
export interface Holding {
  readonly ownerId: string;
  readonly salesChannelId: string | null;
  readonly state: BundleState;
}

/** What the rules need of an issuance. */
export interface IssuanceTerms {
  readonly issuanceId: string;
  readonly form: SerialForm;
  readonly expired: boolean;
}

/** An inclusive range of one issuance with one owner and one state. `id` is undefined until the store has given one. */
export interface Bundle extends Holding {
  id: string | undefined;
  readonly issuance: IssuanceTerms;
  first: bigint;
  last: bigint;
  ownerId: string;
  salesChannelId: string | null;
  state: BundleState;
}

export interface Selection {
  readonly issuanceId: string;
  readonly first: bigint;
  readonly last: bigint;
  /** As they were written: leading zeros belong to a serial. */
  readonly firstText: string;
  readonly lastText: string;
}

export type FaultCode =
  'selection-order' | 'selection-overlap' | 'bundle-start' | 'bundle-end' | 'serial-form' | 'expired';

export interface Fault {
  readonly index: number;
  readonly field: 'start' | 'end';
  readonly code: FaultCode;
  readonly detail: string;
}

/** One selection, taken: the bundle it became, and the one it was part of. */
export interface Taken {
  readonly bundle: Bundle;
  readonly source: Bundle;
  readonly first: bigint;
  readonly last: bigint;
}

export interface Movement {
  readonly selections: readonly Selection[];
  /** Whose bundles may be taken, and in which states. */
  readonly from: {
    readonly ownerId: string;
    readonly salesChannelId: string | null;
    readonly states: readonly BundleState[];
  };
  readonly to: Holding;
}

const key = (issuanceId: string, first: bigint): string => `${issuanceId}/${first}`;

/** The bundles that one batch works on, by where they start. */
export class BundleBook {
  readonly #byStart = new Map<string, Bundle>();
  readonly #changed = new Set<Bundle>();
  readonly #merged: { absorbed: Bundle; into: Bundle }[] = [];
  readonly #absorbed = new Set<Bundle>();

  /** Adds a stored bundle; one that is known already stays as the batch has changed it. */
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
   * Moves all selections or none. Each, taken in order, must start where a bundle of the owner starts and end within it; a part that is left keeps
   * the bundle's identity and starts right behind. Returns what was taken, or every fault.
   */
  move(movement: Movement): { taken: Taken[] } | { faults: Fault[] } {
    const faults = overlaps(movement.selections);
    if (faults.length > 0) return { faults };
    const undo: (() => void)[] = [];
    const taken: Taken[] = [];
    movement.selections.forEach((selection, index) => {
      const found = this.#listable(selection, movement);
      if (typeof found === 'function') faults.push(found(index));
      else taken.push(this.#take(found, selection, movement.to, undo));
    });
    if (faults.length === 0) return { taken };
    for (const step of undo.reverse()) step();
    return { faults };
  }

  /** Moves a whole bundle that was taken before: a reservation that is approved or undone. */
  settle(bundle: Bundle, to: Holding): void {
    bundle.ownerId = to.ownerId;
    bundle.salesChannelId = to.salesChannelId;
    bundle.state = to.state;
    this.#changed.add(bundle);
  }

  /** Makes each bundle and its listable neighbours of the same owner one again. Of those that become one, the one that ends last keeps its identity. */
  joinNeighbours(bundles: readonly Bundle[]): void {
    for (const bundle of bundles) {
      // What another one of them took in on its way is joined already.
      if (this.#absorbed.has(bundle)) continue;
      this.#absorbBefore(bundle);
      const next = this.#byStart.get(key(bundle.issuance.issuanceId, bundle.last + 1n));
      if (next) this.#absorbBefore(next);
    }
  }

  /** Extends `bundle` over all that end right before it, one after the other, and are of its holding. */
  #absorbBefore(bundle: Bundle): void {
    for (
      let before = this.#endingBefore(bundle);
      before && isSameHolding(before, bundle);
      before = this.#endingBefore(bundle)
    ) {
      this.#byStart.delete(key(bundle.issuance.issuanceId, bundle.first));
      bundle.first = before.first;
      this.#byStart.set(key(bundle.issuance.issuanceId, bundle.first), bundle);
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

  #listable(selection: Selection, { from }: Movement): Bundle | ((index: number) => Fault) {
    const bundle = this.#byStart.get(key(selection.issuanceId, selection.first));
    const isOurs =
      bundle &&
      bundle.ownerId === from.ownerId &&
      bundle.salesChannelId === from.salesChannelId &&
      from.states.includes(bundle.state);
    // The same answer for serials that do not exist, are somebody else's, or are inside of a bundle: nothing is to be learnt of others.
    if (!isOurs)
      return fault('start', 'bundle-start', 'No listable bundle of this owner starts with this certificate.');
    const { form } = bundle.issuance;
    if (formatSerial(selection.first, form) !== selection.firstText) {
      return fault(
        'start',
        'serial-form',
        `The serial is written ${formatSerial(selection.first, form)} in this issuance.`,
      );
    }
    if (bundle.issuance.expired) return fault('start', 'expired', 'The certificates have expired.');
    if (selection.last > bundle.last) {
      return fault('end', 'bundle-end', `The bundle ends with serial ${formatSerial(bundle.last, form)}.`);
    }
    if (formatSerial(selection.last, form) !== selection.lastText) {
      return fault(
        'end',
        'serial-form',
        `The serial is written ${formatSerial(selection.last, form)} in this issuance.`,
      );
    }
    return bundle;
  }

  #take(source: Bundle, selection: Selection, to: Holding, undo: (() => void)[]): Taken {
    const before = { ...source };
    const wasChanged = this.#changed.has(source);
    const { issuanceId } = source.issuance;
    this.#changed.add(source);
    if (selection.last === source.last) {
      Object.assign(source, to);
      undo.push(() => this.#restore(source, before, wasChanged));
      return { bundle: source, source, first: selection.first, last: selection.last };
    }
    const bundle: Bundle = {
      id: undefined,
      issuance: source.issuance,
      first: selection.first,
      last: selection.last,
      ...to,
    };
    source.first = selection.last + 1n;
    this.#byStart.set(key(issuanceId, bundle.first), bundle);
    this.#byStart.set(key(issuanceId, source.first), source);
    this.#changed.add(bundle);
    undo.push(() => {
      this.#byStart.delete(key(issuanceId, source.first));
      this.#changed.delete(bundle);
      this.#restore(source, before, wasChanged);
      this.#byStart.set(key(issuanceId, before.first), source);
    });
    return { bundle, source, first: selection.first, last: selection.last };
  }

  #restore(bundle: Bundle, before: Bundle, wasChanged: boolean): void {
    Object.assign(bundle, before);
    if (!wasChanged) this.#changed.delete(bundle);
  }
}

const isSameHolding = (a: Holding, b: Holding): boolean =>
  a.state === 'LISTABLE' && b.state === 'LISTABLE' && a.ownerId === b.ownerId && a.salesChannelId === b.salesChannelId;

const fault =
  (field: 'start' | 'end', code: FaultCode, detail: string) =>
  (index: number): Fault => ({ index, field, code, detail });

/** Ranges that end before they start, and ranges that share certificates. */
function overlaps(selections: readonly Selection[]): Fault[] {
  const faults = selections.flatMap((selection, index) =>
    selection.last < selection.first ? [fault('end', 'selection-order', 'The end lies before the start.')(index)] : [],
  );
  const sorted = selections
    .map((selection, index) => ({ selection, index }))
    .sort(
      (a, b) =>
        compare(a.selection.issuanceId, b.selection.issuanceId) ||
        compare(a.selection.first, b.selection.first) ||
        a.index - b.index,
    );
  // Of those before, the one that reaches furthest.
  let reach: Selection | undefined;
  for (const { selection, index } of sorted) {
    const isSameIssuance = reach?.issuanceId === selection.issuanceId;
    if (reach && isSameIssuance && selection.first <= reach.last) {
      faults.push(
        fault(
          'start',
          'selection-overlap',
          'The selection shares certificates with another one of the request.',
        )(index),
      );
    }
    if (!reach || !isSameIssuance || selection.last > reach.last) reach = selection;
  }
  return faults;
}

const compare = <T extends string | bigint>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);
