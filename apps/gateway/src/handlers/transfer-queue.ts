/** What the queue needs to know of a transfer. */
export interface QueuedTransfer {
  readonly salesChannelId: string;
  readonly selections: number;
  readonly bytes: number;
}

export interface QueueLimits {
  /** Of a batch. */
  readonly transfersAtMost: number;
  readonly selectionsAtMost: number;
  readonly bytesAtMost: number;
  /** Of what waits. */
  readonly waitingAtMost: number;
  readonly waitingPerChannelAtMost: number;
  readonly waitingBytesAtMost: number;
}

/**
 * Transfers that wait to be sent, those of each sales channel in their order. Channels take turns, so that one with
 * many does not hold up one with few.
 */
export class TransferQueue<T extends QueuedTransfer> {
  readonly #limits: QueueLimits;
  /** The channel whose turn it is comes first. Each has something waiting. */
  readonly #byChannel = new Map<string, Set<T>>();
  #size = 0;
  #bytes = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#size;
  }

  has(item: T): boolean {
    return this.#byChannel.get(item.salesChannelId)?.has(item) ?? false;
  }

  /** False when there is no room. */
  add(item: T): boolean {
    const { waitingAtMost, waitingPerChannelAtMost, waitingBytesAtMost } = this.#limits;
    const ofChannel = this.#byChannel.get(item.salesChannelId);
    if (this.#size >= waitingAtMost || (ofChannel?.size ?? 0) >= waitingPerChannelAtMost) return false;
    if (this.#size > 0 && this.#bytes + item.bytes > waitingBytesAtMost) return false;
    if (ofChannel) ofChannel.add(item);
    else this.#byChannel.set(item.salesChannelId, new Set([item]));
    this.#size += 1;
    this.#bytes += item.bytes;
    return true;
  }

  /** Does nothing when it does not wait any more. */
  remove(item: T): void {
    const ofChannel = this.#byChannel.get(item.salesChannelId);
    if (!ofChannel?.delete(item)) return;
    if (ofChannel.size === 0) this.#byChannel.delete(item.salesChannelId);
    this.#size -= 1;
    this.#bytes -= item.bytes;
  }

  /** Takes one of each channel in turn, until something does not fit any more. The first one always fits. */
  takeBatch(): T[] {
    const { transfersAtMost, selectionsAtMost, bytesAtMost } = this.#limits;
    const batch: T[] = [];
    let [selections, bytes] = [0, 0];
    while (batch.length < transfersAtMost) {
      const next = this.#next();
      if (!next) break;
      selections += next.selections;
      bytes += next.bytes;
      if (batch.length > 0 && (selections > selectionsAtMost || bytes > bytesAtMost)) break;
      this.remove(next);
      this.#putLast(next.salesChannelId);
      batch.push(next);
    }
    return batch;
  }

  #next(): T | undefined {
    const [ofChannel] = this.#byChannel.values();
    return ofChannel?.values().next().value;
  }

  #putLast(channel: string): void {
    const ofChannel = this.#byChannel.get(channel);
    if (!ofChannel) return;
    this.#byChannel.delete(channel);
    this.#byChannel.set(channel, ofChannel);
  }
}
