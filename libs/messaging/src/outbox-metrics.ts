import type { PreparingClient, Sql } from '@saleschannel/database';
import { meter, type ObservableResult } from '@saleschannel/runtime';
import { countRefused, readLag } from './outbox-rows.ts';

interface OutboxMetricsOptions {
  /** The session of the relay, if it has one. */
  session(): PreparingClient | undefined;
  /** An id below which all rows are published. */
  publishedUpTo(): bigint;
}

/** Reports the lag and the refused events of an outbox, over the relay's session. */
export class OutboxMetrics {
  readonly #options: OutboxMetricsOptions;
  readonly #lag = meter().createObservableGauge('saleschannel.outbox.lag', {
    unit: 's',
    description: 'Age of the oldest unpublished event',
  });
  readonly #refused = meter().createObservableGauge('saleschannel.outbox.refused', {
    description: 'Events permanently refused by the broker',
  });

  constructor(options: OutboxMetricsOptions) {
    this.#options = options;
  }

  start(): void {
    this.#lag.addCallback(this.#observeLag);
    this.#refused.addCallback(this.#observeRefused);
  }

  stop(): void {
    this.#lag.removeCallback(this.#observeLag);
    this.#refused.removeCallback(this.#observeRefused);
  }

  readonly #observeLag = async (result: ObservableResult): Promise<void> => {
    const row = await this.#read<{ lag: string }>(readLag(String(this.#options.publishedUpTo())));
    if (row) result.observe(Number(row.lag));
  };

  readonly #observeRefused = async (result: ObservableResult): Promise<void> => {
    const row = await this.#read<{ refused: number }>(countRefused);
    if (row) result.observe(row.refused);
  };

  async #read<Row extends object>(statement: Sql): Promise<Row | undefined> {
    const [row] =
      (await this.#options
        .session()
        ?.run<Row>(statement)
        .catch(() => undefined)) ?? [];
    return row;
  }
}
