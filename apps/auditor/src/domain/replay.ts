/**
 * Replays the transactions of an issuance, to compute its current bundles with their owners and states. Shares only the
 * tables with the ledger.
 */

export interface Holding {
  readonly ownerId: string | null;
  readonly salesChannelId: string | null;
  readonly state: string;
}

/** A bundle of the replay or of the ledger. */
export interface ReplayedBundle extends Holding {
  readonly id: string;
  readonly first: bigint;
  readonly last: bigint;
}

export interface RecordedMerge {
  readonly absorbed: string;
  readonly into: string;
  readonly first: string;
  readonly last: string;
}

/** A line with its transaction. */
export interface RecordedLine {
  readonly issuanceId: string;
  readonly transactionId: string;
  readonly type: 'ISSUANCE' | 'ONRAMP' | 'TRADE' | 'RETIREMENT' | 'OFFRAMP';
  readonly status: 'PENDING' | 'SUCCESS' | 'REJECTED' | 'FAILED';
  /** Whether it waited for a decision, instead of being executed at once. */
  readonly wasPending: boolean;
  readonly createdAt: string;
  readonly completedAt: string | null;
  readonly salesChannelId: string | null;
  readonly sellerId: string | null;
  readonly buyerId: string | null;
  readonly accountHolderId: string | null;
  readonly bundleId: string;
  readonly first: string;
  readonly last: string;
  readonly sourceBundleId: string | null;
  readonly sourceFirst: string | null;
  readonly sourceLast: string | null;
  /** The new bundle of the certificates before the selection in its source. */
  readonly beforeBundleId: string | null;
  readonly merges: readonly RecordedMerge[] | null;
}

/** When the replay applies decisions: at their recorded times, or when a later line needs them. */
export type DecisionOrder = 'by-time' | 'when-needed';

const same = (a: Holding, b: Holding): boolean =>
  a.ownerId === b.ownerId && a.salesChannelId === b.salesChannelId && a.state === b.state;

/** Holding from which a transaction takes certificates. */
const originOf = ({ type, sellerId, salesChannelId }: RecordedLine): Holding => ({
  ownerId: sellerId,
  salesChannelId: type === 'ONRAMP' ? null : salesChannelId,
  state: type === 'ONRAMP' ? 'HELD' : 'LISTABLE',
});

/** Holding of the certificates after the transaction. */
function destinationOf({ type, sellerId, buyerId, accountHolderId, salesChannelId }: RecordedLine): Holding {
  switch (type) {
    case 'ISSUANCE':
      return { ownerId: buyerId, salesChannelId, state: salesChannelId === null ? 'HELD' : 'LISTABLE' };
    case 'ONRAMP':
    case 'TRADE':
      return { ownerId: buyerId, salesChannelId, state: 'LISTABLE' };
    case 'RETIREMENT':
      return { ownerId: sellerId, salesChannelId, state: 'RETIRED' };
    case 'OFFRAMP':
      return { ownerId: accountHolderId, salesChannelId: null, state: 'OFFRAMPED' };
  }
}

const endOf = ({ completedAt, createdAt }: RecordedLine): string => completedAt ?? createdAt;

export class Replay {
  readonly #bundles = new Map<string, ReplayedBundle>();
  /** Lines whose later decision is not applied yet. */
  #undecided: RecordedLine[] = [];
  readonly #order: DecisionOrder;

  constructor(order: DecisionOrder) {
    this.#order = order;
  }

  /** The current bundles, in the order of their serials. */
  bundles(): ReplayedBundle[] {
    return [...this.#bundles.values()].toSorted((a, b) => (a.first < b.first ? -1 : 1));
  }

  /** Applies a line. Returns the contradiction, if any. */
  add(line: RecordedLine): string | undefined {
    if (this.#order === 'by-time')
      this.#decide(({ completedAt }) => completedAt !== null && completedAt <= line.createdAt);
    while (!this.#fits(line)) if (!this.#decideOne(() => true)) return this.#describe(line);
    this.#apply(line);
    return undefined;
  }

  /** Applies the remaining decisions. Returns the contradiction, if any. */
  end(): string | undefined {
    this.#decide(() => true);
    const [rest] = this.#undecided;
    return rest && `the end of transaction ${rest.transactionId} (${rest.status}) does not match its bundles`;
  }

  #fits(line: RecordedLine): boolean {
    if (line.type === 'ISSUANCE') return this.#bundles.size === 0;
    const source = this.#bundles.get(line.sourceBundleId ?? 'none');
    const origin = originOf(line);
    return (
      source !== undefined &&
      source.first <= BigInt(line.first) &&
      source.first < BigInt(line.first) === (line.beforeBundleId !== null) &&
      !this.#bundles.has(line.beforeBundleId ?? 'none') &&
      String(source.first) === line.sourceFirst &&
      String(source.last) === line.sourceLast &&
      BigInt(line.last) <= source.last &&
      (line.bundleId === source.id) === (BigInt(line.last) === source.last) &&
      (same(source, origin) || (line.type === 'ONRAMP' && same(source, { ...origin, state: 'OFFRAMPED' })))
    );
  }

  #describe({ transactionId, type, sourceBundleId, first, last }: RecordedLine): string {
    const source = this.#bundles.get(sourceBundleId ?? 'none');
    const found = source
      ? `${source.state} of ${source.ownerId} from ${source.first} to ${source.last}`
      : 'no such bundle';
    return `${type} ${transactionId} takes ${first} to ${last} from bundle ${sourceBundleId}, which is ${found}`;
  }

  #apply(line: RecordedLine): void {
    const [first, last] = [BigInt(line.first), BigInt(line.last)];
    const source = this.#bundles.get(line.sourceBundleId ?? 'none');
    if (source && last < source.last) this.#bundles.set(source.id, { ...source, first: last + 1n });
    const { beforeBundleId: id } = line;
    if (source && id !== null) this.#bundles.set(id, { ...source, id, last: first - 1n });
    const isReserved = line.wasPending || line.status === 'PENDING';
    const holding = isReserved ? { ...originOf(line), state: 'RESERVED' } : destinationOf(line);
    this.#bundles.set(line.bundleId, { id: line.bundleId, first, last, ...holding });
    if (line.wasPending && line.status !== 'PENDING') this.#undecided.push(line);
  }

  #decide(isDue: (line: RecordedLine) => boolean): void {
    while (this.#decideOne(isDue));
  }

  /** Applies the earliest decision that fits. */
  #decideOne(isDue: (line: RecordedLine) => boolean): boolean {
    const due = this.#undecided.filter(isDue).toSorted((a, b) => (endOf(a) < endOf(b) ? -1 : 1));
    for (const line of due) {
      const lines = this.#undecided.filter(({ transactionId }) => transactionId === line.transactionId);
      const changed = this.#changesOf(lines);
      if (!changed) continue;
      for (const [id, bundle] of changed) {
        if (bundle) this.#bundles.set(id, bundle);
        else this.#bundles.delete(id);
      }
      this.#undecided = this.#undecided.filter(({ transactionId }) => transactionId !== line.transactionId);
      return true;
    }
    return false;
  }

  /** Returns the changes by the decision on a transaction. Undefined if it does not fit the bundles. */
  #changesOf(lines: readonly RecordedLine[]): Map<string, ReplayedBundle | undefined> | undefined {
    const changed = new Map<string, ReplayedBundle | undefined>();
    const now = (id: string): ReplayedBundle | undefined => (changed.has(id) ? changed.get(id) : this.#bundles.get(id));
    for (const line of lines) {
      const bundle = now(line.bundleId);
      if (bundle?.state !== 'RESERVED' || String(bundle.first) !== line.first) return undefined;
      changed.set(bundle.id, { ...bundle, ...(line.status === 'SUCCESS' ? destinationOf(line) : originOf(line)) });
    }
    for (const merge of lines[0]?.merges ?? []) {
      const [absorbed, into] = [now(merge.absorbed), now(merge.into)];
      const isMergeable = absorbed && into && absorbed.last + 1n === into.first && same(absorbed, into);
      if (!isMergeable || absorbed.state !== 'LISTABLE') return undefined;
      if (String(absorbed.first) !== merge.first || String(absorbed.last) !== merge.last) return undefined;
      changed.set(into.id, { ...into, first: absorbed.first });
      changed.set(absorbed.id, undefined);
    }
    return changed;
  }
}
