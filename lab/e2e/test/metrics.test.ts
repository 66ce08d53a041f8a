import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findFreePort } from '@saleschannel/local-backends';
import { startTelemetry } from '@saleschannel/runtime';
import { eventually } from '@saleschannel/testing';
import { request } from 'undici';
import { useOwnSystem } from './support/system.ts';
import {
  inventoryPath,
  issue,
  withIdempotencyKey,
  operator,
  retirementBody,
  seller,
  runTransfer,
} from './support/api.ts';

let port: number;
let stopTelemetry: () => Promise<void>;
// Before the system, as a service does at its start. All services of this process share one endpoint.
beforeAll(async () => {
  port = await findFreePort();
  stopTelemetry = await startTelemetry({
    service: 'everything',
    tracesEndpoint: undefined,
    metricsHost: '127.0.0.1',
    metricsPort: port,
  });
});
const system = useOwnSystem({ variables: { RECONCILE_SECONDS: '1' } });
afterAll(() => stopTelemetry?.());

/** Samples by name and labels, as Prometheus parses them. */
async function scrape(): Promise<Map<string, number>> {
  const { statusCode, body } = await request(`http://127.0.0.1:${port}/metrics`);
  const text = await body.text();
  expect(statusCode).toBe(200);
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  // Drop the service label, which is the same for all here.
  return new Map(
    samples.map((line) => [
      line
        .replace(/,?service_name="everything"/, '')
        .replace('{,', '{')
        .replace('{}', '')
        .replace(/ \S+$/, ''),
      Number(line.split(' ').at(-1)),
    ]),
  );
}

test('Prometheus reads durations, tasks, outboxes and queues', async () => {
  const [channel] = system().channels;
  const client = system().createClient(operator(channel));
  const { range } = await issue(system(), channel);
  await runTransfer(client, seller(channel).id, 'retire', retirementBody([range(1, 1)]));
  await client.send('POST', inventoryPath(seller(channel).id, 'retire'), {
    body: retirementBody([range(1, 1)]),
    headers: withIdempotencyKey(),
  });
  await system().waitUntilDrained();
  const samples = await eventually(async () => {
    const found = await scrape();
    return found.get('saleschannel_tasks_ended_total{status="SUCCESS"}') === 1 && found;
  }, 'the end of the task in the metrics');
  await eventually(async () => {
    const found = await scrape();
    const lags = ['lag_entries', 'lag_seconds'].flatMap((lag) =>
      ['tasks', 'events'].map((consumer) => found.get(`saleschannel_reconciliation_${lag}{consumer="${consumer}"}`)),
    );
    return lags.every((lag) => lag === 0);
  }, 'consumers that have everything');
  const all = [...samples];
  const retirement =
    'http_request_method="POST",http_route="/saleschannel-services/v1/traders/{traderId}/inventory/retire"';
  const answered = (status: number): string =>
    `http_server_request_duration_seconds_count{${retirement},saleschannel_operation="startRetirement",` +
    `http_response_status_code="${status}"}`;
  expect(samples.get(answered(201))).toBe(1);
  expect(samples.get(answered(400))).toBe(1);
  const refusals = 'saleschannel_requests_refused_total{reason="request-refused",http_response_status_code="400"}';
  expect(samples.get(refusals)).toBe(1);
  // Buckets are fine where durations occur: an answer takes milliseconds, not seconds.
  const buckets = all.filter(
    ([name]) =>
      name.startsWith('http_server_request_duration_seconds_bucket{') &&
      name.includes('saleschannel_operation="getRetirementTask"'),
  );
  expect(buckets.filter(([name]) => /le="0\.\d+"/.test(name)).length).toBeGreaterThan(5);
  const calls = all.filter(([name, value]) => name.startsWith('rpc_server_call_duration_seconds_count') && value > 0);
  expect(calls.length).toBeGreaterThan(20);
  expect(samples.get('saleschannel_tasks_created_total')).toBe(1);
  expect(samples.get('saleschannel_tasks_waiting')).toBe(0);
  expect(samples.get('saleschannel_outbox_lag_seconds')).toBe(0);
  const channelId = channel.salesChannelId;
  expect(samples.get(`saleschannel_channel_tasks_total{sales_channel_id="${channelId}",status="SUCCESS"}`)).toBe(1);
  expect(samples.get(`saleschannel_channel_requests_total{sales_channel_id="${channelId}",outcome="refused"}`)).toBe(1);
  // Each stage of the trade took some time, and less than the test.
  for (const stage of ['settle', 'task', 'event']) {
    expect([stage, samples.get(`saleschannel_stage_lag_seconds_count{stage="${stage}"}`)]).toEqual([stage, 1]);
    const within = `saleschannel_stage_lag_seconds_bucket{stage="${stage}",le="30"}`;
    expect([stage, samples.get(within)]).toEqual([stage, 1]);
  }
  const depths = all
    .filter(([name]) => name.startsWith('saleschannel_queue_depth'))
    .map(([name, depth]) => [name.replace(/test-\w+\./, ''), depth]);
  const partitions = [0, 1, 2, 3, 4, 5, 6, 7].map((partition) => `inventory.transfers.${partition}`);
  const queues = ['inventory.transfers', ...partitions, 'tasks.outcomes', 'events.log'];
  expect(depths.toSorted()).toEqual(
    queues
      .flatMap((queue) => [queue, `${queue}.dead-letters`])
      .map((queue) => [`saleschannel_queue_depth{queue="${queue}"}`, 0])
      .toSorted(),
  );
});

/** Metrics that this system cannot show: it has no TLS, no standby, no traces and no failures. */
const ABSENT = [
  'otel_sdk_processor_span_processed_total',
  'otel_sdk_processor_span_queue_capacity',
  'otel_sdk_processor_span_queue_size',
  'saleschannel_ledger_conflicts_total',
  'saleschannel_list_pages_total',
  'saleschannel_messages_dead_lettered_total',
  'saleschannel_messages_deferred_total',
  'saleschannel_messages_given_back_total',
  'saleschannel_messages_put_off_total',
  'saleschannel_messages_unknown_total',
  'saleschannel_outbox_refused_removed_total',
  'saleschannel_reconciliation_failures_total',
  'saleschannel_reconciliation_republished_total',
  'saleschannel_requests_previous_generation_total',
  'saleschannel_security_events_total',
  'saleschannel_task_archive_failures_total',
  'saleschannel_task_archive_months_dropped_total',
  'saleschannel_task_archive_tasks_total',
  'saleschannel_tls_certificate_remaining_seconds',
  'saleschannel_webhook_attempt_duration_seconds',
  'saleschannel_webhook_attempts_total',
  'saleschannel_webhook_endpoints_disabled',
];

test('the table of metrics lists exactly the served ones', async () => {
  const [readme] = globSync('../../../deploy/{otel,observe}/README.md', { cwd: import.meta.dirname });
  const table = readFileSync(new URL(readme ?? 'no-readme', import.meta.url), 'utf8');
  const rows = table.split('\n').filter((line) => /^\| `[a-z]/.test(line));
  const documented = rows.flatMap((row) => row.split('|')[1]?.match(/(?<=`)[a-z]\w+(?=`)/g) ?? []);
  const served = await eventually(async () => {
    const { body } = await request(`http://127.0.0.1:${port}/metrics`);
    const families = (await body.text()).matchAll(/^# TYPE (\w+) /gm);
    const names = [...families].map(([, name]) => name);
    return names.includes('nodejs_eventloop_delay_p99_seconds') && names;
  }, 'all metrics of the process');
  expect(served.filter((name) => !documented.includes(name ?? ''))).toEqual([]);
  expect(documented.filter((name) => !served.includes(name) && !ABSENT.includes(name))).toEqual([]);
});
