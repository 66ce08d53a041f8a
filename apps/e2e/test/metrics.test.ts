import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '@saleschannel/local-backends';
import { startTelemetry } from '@saleschannel/runtime';
import { eventually } from '@saleschannel/testing';
import { request } from 'undici';
import { useSystem } from './support/system.ts';
import { inventoryPath, issue, keyed, operator, retirementBody, seller, transfer } from './support/world.ts';

let port: number;
let stopTelemetry: () => Promise<void>;
// Before the system, as a service does at its start; all services of this process share the one endpoint.
beforeAll(async () => {
  port = await freePort();
  stopTelemetry = await startTelemetry({
    service: 'everything',
    tracesEndpoint: undefined,
    metricsHost: '127.0.0.1',
    metricsPort: port,
  });
});
const system = useSystem({ variables: { RECONCILE_SECONDS: '1' } });
afterAll(() => stopTelemetry?.());

/** Samples by name and labels, as Prometheus reads them. */
async function scrape(): Promise<Map<string, number>> {
  const { statusCode, body } = await request(`http://127.0.0.1:${port}/metrics`);
  const text = await body.text();
  expect(statusCode).toBe(200);
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    samples.map((line) => [
      line
        .replace(/,?otel_scope_name="[^"]*"|,?otel_scope_version="[^"]*"/g, '')
        .replace('{,', '{')
        .replace(/ \S+$/, ''),
      Number(line.split(' ').at(-1)),
    ]),
  );
}

test('Prometheus sees durations, tasks, outboxes and queues', async () => {
  const [channel] = system().channels;
  const client = system().as(operator(channel));
  const { range } = await issue(system(), channel);
  await transfer(client, seller(channel).id, 'retire', retirementBody([range(1, 1)]));
  await client.send('POST', inventoryPath(seller(channel).id, 'retire'), {
    body: retirementBody([range(1, 1)]),
    headers: keyed(),
  });
  await system().drained();
  const samples = await eventually(async () => {
    const found = await scrape();
    return found.get('tasks_ended_total{status="SUCCESS"}') === 1 && found;
  }, 'the end of the task in the metrics');
  await eventually(async () => {
    const found = await scrape();
    const lags = ['entries', 'seconds'].flatMap((unit) =>
      ['tasks', 'events'].map((consumer) => found.get(`reconciliation_lag_${unit}{consumer="${consumer}"}`)),
    );
    return lags.every((lag) => lag === 0);
  }, 'consumers that have everything');
  const all = [...samples];
  expect(samples.get('http_server_duration_count{operation="startRetirement",status="201"}')).toBe(1);
  expect(samples.get('http_server_duration_count{operation="startRetirement",status="400"}')).toBe(1);
  // Durations are told apart where they are: an answer takes milliseconds, not seconds.
  const buckets = all.filter(([name]) => name.startsWith('http_server_duration_bucket{operation="getRetirementTask"'));
  expect(buckets.filter(([name]) => /le="0\.\d+"/.test(name)).length).toBeGreaterThan(5);
  expect(
    all.filter(([name, value]) => name.startsWith('rpc_server_duration_count') && value > 0).length,
  ).toBeGreaterThan(20);
  expect(samples.get('tasks_created_total{}')).toBe(1);
  expect(samples.get('tasks_waiting{}')).toBe(0);
  for (const service of ['identity', 'rbac', 'tasks', 'inventory'])
    expect([service, samples.get(`outbox_lag_seconds{service="${service}"}`)]).toEqual([service, 0]);
  const depths = all
    .filter(([name]) => name.startsWith('queue_depth'))
    .map(([name, depth]) => [name.replace(/test-\w+\./, ''), depth]);
  const partitions = [0, 1, 2, 3, 4, 5, 6, 7].map((partition) => `inventory.transfers.${partition}`);
  const queues = ['inventory.transfers', ...partitions, 'tasks.outcomes', 'events.log'];
  expect(depths.toSorted()).toEqual(
    queues
      .flatMap((queue) => [queue, `${queue}.dead-letters`])
      .map((queue) => [`queue_depth{queue="${queue}"}`, 0])
      .toSorted(),
  );
});
