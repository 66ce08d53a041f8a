import { durationHistogram, meter, type ObservableResult } from '@saleschannel/runtime';
import type { Pool } from 'pg';

/** Functions that record how long a user of a pool waited for a connection. */
const recorders = new WeakMap<Pool, (waitedMs: number) => void>();

export function recordWait(pool: Pool, waitedMs: number): void {
  recorders.get(pool)?.(waitedMs);
}

/** Observes a pool's connections with the metrics of OpenTelemetry's conventions. Returns a function that stops it. */
export function observePool(pool: Pool, name: string): () => void {
  const attributes = { 'db.client.connection.pool.name': name };
  const gauges = [
    {
      name: 'db.client.connection.count',
      unit: '{connection}',
      description: 'Connections of a pool, by state',
      observe(result: ObservableResult): void {
        result.observe(pool.idleCount, { ...attributes, 'db.client.connection.state': 'idle' });
        result.observe(pool.totalCount - pool.idleCount, { ...attributes, 'db.client.connection.state': 'used' });
      },
    },
    {
      name: 'db.client.connection.limit',
      unit: '{connection}',
      description: 'Maximum connections of a pool',
      observe: (result: ObservableResult) => result.observe(pool.options.max, attributes),
    },
    {
      name: 'db.client.connection.pending_requests',
      unit: '{request}',
      description: 'Requests waiting for a connection of a pool',
      // Until the end of the tick, the pool also counts requests that just received an idle connection.
      observe: (result: ObservableResult) =>
        result.observe(Math.max(0, pool.waitingCount - pool.idleCount), attributes),
    },
  ].map(({ observe, ...gauge }) => {
    const observed = meter().createObservableGauge(gauge.name, gauge);
    observed.addCallback(observe);
    return () => observed.removeCallback(observe);
  });
  const waits = durationHistogram('db.client.connection.wait_time', 'Time that it took to get a connection of a pool');
  recorders.set(pool, (waitedMs) => waits.record(waitedMs / 1_000, attributes));
  return () => {
    recorders.delete(pool);
    for (const end of gauges) end();
  };
}
