import { setTimeout as delay } from 'node:timers/promises';
import { createClient, type Credentials, type ReplyOf } from '@saleschannel/grpc';

/** How far one consumer of the ledger has come. Counts and sequences are int8 as text. */
export interface ConsumerReport {
  readonly consumer: string;
  /** Why it could not be asked. Then the rest is not known. */
  readonly fault?: string;
  readonly isComplete: boolean;
  readonly lagEntries: string;
  readonly lagSeconds: number;
  /** Published again by this command. */
  readonly republished: string;
  /** Where it differs from the ledger. */
  readonly channels: readonly {
    readonly salesChannelId: string;
    readonly last: string;
    readonly upto: string;
    readonly highest: string;
    readonly missing: string;
  }[];
}

export interface ReconciliationRequest {
  /** Undefined: all. */
  readonly salesChannelId: string | undefined;
  /** Only looks. */
  readonly status: boolean;
  /** Until every consumer has everything. */
  readonly wait: boolean;
}

/** The comparison of the ledger with its consumers. */
export interface Reconciliation {
  /**
   * Compares, and publishes again what is missing.
   * @throws Error when the wait was in vain
   */
  run(request: ReconciliationRequest): Promise<readonly ConsumerReport[]>;
  close(): void;
}

/** The ledger asks its consumers first, and each may take its time. */
const CALL_TIMEOUT_MS = 30_000;
const PAUSE_MS = 1_000;
const WAIT_AT_MOST_MS = 600_000;

/** @param connection.tokens made with the key of the service name `admin` */
export function createReconciliation(connection: { address: string; tokens: Credentials }): Reconciliation {
  const inventory = createClient('reconciliation', { ...connection, timeoutMs: CALL_TIMEOUT_MS });
  const republished = new Map<string, bigint>();

  const once = async ({ salesChannelId, status: onlyLook }: ReconciliationRequest) => {
    const reply = await inventory.Reconcile({ salesChannelId, onlyLook });
    for (const { consumer, republished: count } of reply.consumers)
      republished.set(consumer, (republished.get(consumer) ?? 0n) + BigInt(count));
    return { reports: reply.consumers.map((state) => reportOf(state, republished)), hasMore: reply.hasMore };
  };

  return {
    async run(request) {
      const end = Date.now() + WAIT_AT_MOST_MS;
      for (;;) {
        const { reports, hasMore } = await once(request);
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

const reportOf = (
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
