import { setTimeout as delay } from 'node:timers/promises';
import { createClient, type Credentials, type ReplyOf } from '@saleschannel/grpc';

/** Lag of one consumer of the ledger. Counts and sequences are int8 as text. */
export interface ConsumerReport {
  readonly consumer: string;
  /** Reason why the consumer could not be queried. Then the other members are unknown. */
  readonly fault?: string;
  readonly isComplete: boolean;
  readonly lagEntries: string;
  readonly lagSeconds: number;
  /** Number of changes that this command republished. */
  readonly republished: string;
  /** Channels that differ from the ledger. */
  readonly channels: readonly {
    readonly salesChannelId: string;
    readonly last: string;
    readonly upto: string;
    readonly highest: string;
    readonly missing: string;
  }[];
}

export interface ReconciliationRequest {
  /** All sales channels if undefined. */
  readonly salesChannelId: string | undefined;
  /** Compares without republishing. */
  readonly status: boolean;
  /** Repeats until nothing is missing. */
  readonly wait: boolean;
}

export interface Reconciliation {
  /**
   * Compares the ledger with its consumers and republishes missing changes.
   * @throws Error if changes are still missing at the end of the wait
   */
  run(request: ReconciliationRequest): Promise<readonly ConsumerReport[]>;
  close(): void;
}

/** Long, because the ledger queries its consumers before it answers. */
const CALL_TIMEOUT_MS = 30_000;
const PAUSE_MS = 1_000;
const WAIT_AT_MOST_MS = 600_000;

/** @param connection.tokens credentials of the service `admin` */
export function createReconciliation(connection: { address: string; tokens: Credentials }): Reconciliation {
  const inventory = createClient('reconciliation', { ...connection, timeoutMs: CALL_TIMEOUT_MS });
  const republished = new Map<string, bigint>();

  const runOnce = async ({ salesChannelId, status: onlyLook }: ReconciliationRequest) => {
    const reply = await inventory.Reconcile({ salesChannelId, onlyLook });
    for (const { consumer, republished: count } of reply.consumers)
      republished.set(consumer, (republished.get(consumer) ?? 0n) + BigInt(count));
    return { reports: reply.consumers.map((message) => toReport(message, republished)), hasMore: reply.hasMore };
  };

  return {
    async run(request) {
      const end = Date.now() + WAIT_AT_MOST_MS;
      for (;;) {
        const { reports, hasMore } = await runOnce(request);
        const isDone = request.wait ? reports.every(({ isComplete }) => isComplete) : !hasMore;
        if (request.status || isDone) return reports;
        if (Date.now() > end)
          throw new Error(`Changes are still missing after ten minutes:\n${JSON.stringify(reports, null, 2)}`);
        if (!hasMore) await delay(PAUSE_MS);
      }
    },
    close: () => inventory.close(),
  };
}

type ConsumerMessage = ReplyOf<'reconciliation.Reconcile'>['consumers'][number];

const toReport = (
  { consumer, fault, isComplete, lagEntries, lagSeconds, channels }: ConsumerMessage,
  republished: ReadonlyMap<string, bigint>,
): ConsumerReport => ({
  consumer,
  ...(fault === undefined ? {} : { fault }),
  isComplete,
  lagEntries,
  lagSeconds,
  republished: String(republished.get(consumer) ?? 0n),
  channels: channels.map(({ salesChannelId, last, upto, highest, missing }) => ({
    salesChannelId,
    last,
    upto,
    highest,
    missing,
  })),
});
