import { hostedService } from './hosting.ts';
import { BusiestCounts, type BusiestCount } from './busiest.ts';

/** A counter by sales channel, as the exporter reads it. */
export interface ChannelCounter {
  /** The hosted service that counts. Undefined in a process of one service. */
  readonly service: string | undefined;
  readonly name: string;
  readonly description: string;
  /** What the second label is called. */
  readonly kind: string;
  read(): BusiestCount[];
}

const counters = new Map<string, ChannelCounter>();

/** All counters by sales channel of this process. */
export const channelCounters = (): readonly ChannelCounter[] => [...counters.values()];

/** For the end of the metrics: what starts later shows no counters of what has ended. */
export const forgetChannelCounters = (): void => counters.clear();

/**
 * A counter by sales channel, of which there may be thousands: see {@link BusiestCounts}. The counters of the SDK keep
 * every value of a label that they have ever seen, and lump together what comes after 2,000 of them.
 */
export function countBySalesChannel(
  definition: Omit<ChannelCounter, 'read' | 'service'>,
): (id: string, kind: string) => void {
  const counts = new BusiestCounts();
  const service = hostedService();
  counters.set(`${service} ${definition.name}`, { ...definition, service, read: () => counts.read() });
  return (salesChannelId, kind) => counts.add(salesChannelId, kind);
}
