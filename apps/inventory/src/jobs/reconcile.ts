import { createJob, meter, type Logger, type ObservableResult, type Part } from '@saleschannel/runtime';
import { countBeyondLedger } from '../domain/reconciliation.ts';
import type { ConsumerState, Reconciler, Reconciliation } from '../operations/reconcile.ts';

interface Options {
  readonly reconciler: Pick<Reconciler, 'run'>;
  readonly seconds: number;
  readonly logger: Logger;
}

/** Comparisons per interval while changes remain to be published. */
const MAX_RUNS = 100;
/** Waits a little longer, so that changes that are due soon share the comparison. */
const MARGIN_MS = 500;
/** Channels per log line. */
const MAX_LOGGED_CHANNELS = 20;

/**
 * Compares the ledger with its consumers periodically, and again as soon as an overtaken change is due. Reports the
 * results in metrics and logs.
 */
export function createReconciliationJob({ reconciler, seconds, logger }: Options): Part {
  const metrics = createMetrics();
  const job = createJob({
    everyMs: seconds * 1_000,
    async work(signal) {
      for (let run = 0; run < MAX_RUNS; run++) {
        const found = await reconciler.run({ onlyLook: false, isUrgent: false, signal });
        if (signal.aborted) return;
        metrics.show(found);
        for (const state of found?.consumers ?? []) report(state, logger);
        if (found?.hasMore) continue;
        if (found?.dueInSeconds === undefined) return;
        await wait(found.dueInSeconds * 1_000 + MARGIN_MS, signal);
        if (signal.aborted) return;
      }
    },
    onError(error) {
      metrics.show(undefined);
      logger.warn({ err: error }, 'cannot compare the ledger with its consumers');
    },
  });
  return {
    start() {
      metrics.start();
      return job.start();
    },
    async stop() {
      await job.stop();
      metrics.stop();
    },
  };
}

/** Resolves early when the signal aborts. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener('abort', () => resolve(), { once: true });
  return promise.finally(() => clearTimeout(timer));
}

function report({ consumer, fault, republished, differences }: ConsumerState, logger: Logger): void {
  if (fault) logger.warn({ err: fault, consumer }, 'a consumer did not report its progress');
  if (republished > 0) logger.warn({ consumer, republished }, 'a consumer lacks changes of status: republishing them');
  const beyond = differences.filter((difference) => countBeyondLedger(difference) > 0n);
  if (beyond.length === 0) return;
  const channels = beyond.slice(0, MAX_LOGGED_CHANNELS).map(({ salesChannelId, last, highest }) => ({
    salesChannelId,
    last: String(last),
    highest: String(highest),
  }));
  logger.error(
    { consumer, count: beyond.length, channels },
    'a consumer has changes of status that the ledger lacks: was the ledger restored alone?',
  );
}

/** Metrics of the last comparison. A replica that did not run it reports none. */
function createMetrics() {
  let last: readonly ConsumerState[] = [];
  const gauge = (name: string, unit: string, description: string, read: (state: ConsumerState) => number) => {
    const observed = meter().createObservableGauge(name, { unit, description });
    const observe = (result: ObservableResult): void => {
      for (const state of last) if (!state.fault) result.observe(read(state), { consumer: state.consumer });
    };
    return { start: () => observed.addCallback(observe), stop: () => observed.removeCallback(observe) };
  };
  const gauges = [
    gauge(
      'saleschannel.reconciliation.lag_entries',
      '{entry}',
      'Changes of status that a consumer has not applied yet',
      (state) => Number(state.lagEntries),
    ),
    gauge(
      'saleschannel.reconciliation.lag',
      's',
      'Age of the oldest change of status that a consumer has not applied yet',
      ({ lagSeconds }) => lagSeconds,
    ),
    gauge(
      'saleschannel.reconciliation.beyond_ledger_entries',
      '{entry}',
      'Changes of status that a consumer has applied and the ledger does not have',
      (state) => Number(state.beyondLedger),
    ),
  ];
  const republished = meter().createCounter('saleschannel.reconciliation.republished', {
    description: 'Status changes republished because a consumer lacked them',
  });
  const failures = meter().createCounter('saleschannel.reconciliation.failures', {
    description: 'Failed comparisons with a consumer',
  });
  return {
    start: () => gauges.forEach(({ start }) => start()),
    stop: () => gauges.forEach(({ stop }) => stop()),
    show(found: Reconciliation | undefined) {
      last = found?.consumers ?? [];
      for (const { consumer, fault, republished: count } of last) {
        if (fault) failures.add(1, { consumer });
        if (count > 0) republished.add(count, { consumer });
      }
    },
  };
}
