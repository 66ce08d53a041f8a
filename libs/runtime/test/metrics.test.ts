import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findFreePort } from '@saleschannel/local-backends';
import {
  countBySalesChannel,
  countCacheUse,
  createStageLag,
  durationHistogram,
  meter,
  runAsService,
  startTelemetry,
  withSpan,
  type ObservableResult,
} from '@saleschannel/runtime';
import { eventually } from '@saleschannel/testing';
import { request } from 'undici';
import { BusiestCounts, OTHER_KEYS } from '../src/metrics.ts';

const MINUTE_MS = 60_000;

function counts(namedAtMost: number) {
  let now = 0;
  const busiest = new BusiestCounts({ now: () => now, namedAtMost });
  return {
    add: (key: string, times = 1) => {
      for (let time = 0; time < times; time++) busiest.add(key, 'ok');
    },
    /** Counts by key. */
    read: () => Object.fromEntries(busiest.read().map(({ key, count }) => [key, count])),
    passMinute: () => (now += MINUTE_MS),
  };
}

test('names keys up to the limit, and combines the others', () => {
  const busiest = counts(2);
  busiest.add('a', 3);
  busiest.add('b');
  busiest.add('c', 5);
  busiest.add('d', 4);
  expect(busiest.read()).toEqual({ a: 3, b: 1, [OTHER_KEYS]: 9 });
});

test('names the busiest keys of the last minute, counted from 0', () => {
  const busiest = counts(2);
  busiest.add('a', 3);
  busiest.add('b');
  busiest.add('c', 5);
  busiest.passMinute();
  expect(busiest.read()).toEqual({ a: 3, [OTHER_KEYS]: 5 });
  busiest.add('c', 2);
  busiest.add('b');
  expect(busiest.read()).toEqual({ a: 3, c: 2, [OTHER_KEYS]: 6 });
});

test('keeps a named key until another is more than twice as busy', () => {
  const busiest = counts(1);
  busiest.add('a', 3);
  busiest.add('b', 6);
  busiest.passMinute();
  expect(busiest.read()).toEqual({ a: 3, [OTHER_KEYS]: 6 });
  busiest.add('a', 3);
  busiest.add('b', 7);
  busiest.passMinute();
  busiest.read();
  busiest.add('b');
  expect(busiest.read()).toEqual({ b: 1, [OTHER_KEYS]: 13 });
});

test('keeps no more counts than the limit, for any number of keys', () => {
  const busiest = counts(10);
  for (let minute = 0; minute < 3; minute++) {
    for (let key = 0; key < 20_000; key++) busiest.add(`${minute}/${key}`);
    busiest.passMinute();
    expect(Object.keys(busiest.read()).length).toBeLessThanOrEqual(11);
  }
});

let port: number;
let stop: () => Promise<void>;
let collector: string;
/** A collector that accepts connections and never answers. */
const sockets = new Set<Socket>();
const frozen = createServer((socket) => void sockets.add(socket));

beforeAll(async () => {
  port = await findFreePort();
  await new Promise<void>((resolve) => frozen.listen(0, '127.0.0.1', resolve));
  collector = `http://127.0.0.1:${(frozen.address() as AddressInfo).port}`;
  stop = await startTelemetry({
    service: 'measured',
    build: { version: '1.2.3', commit: 'abcdef' },
    tracesEndpoint: collector,
    metricsHost: '127.0.0.1',
    metricsPort: port,
  });
});
afterAll(async () => {
  await stop?.().catch(() => undefined);
  for (const socket of sockets) socket.destroy();
  frozen.close();
});

async function scrape(at = port): Promise<string[]> {
  const { statusCode, body } = await request(`http://127.0.0.1:${at}/metrics`);
  expect(statusCode).toBe(200);
  return (await body.text()).split('\n');
}

/** Returns a sample's value by its labels. */
const findSample = (lines: readonly string[], sample: string): number | undefined => {
  const found = lines.find((line) => line.startsWith(`${sample} `));
  return found === undefined ? undefined : Number(found.split(' ').at(-1));
};

test('names have units, counters _total, and samples their service', async () => {
  durationHistogram('test.duration', 'Time').record(0.002, { kind: 'a' });
  meter().createCounter('test.things').add(2);
  meter()
    .createObservableGauge('test.size', { unit: 'By' })
    .addCallback((result) => result.observe(7));
  meter().createUpDownCounter('test.people', { unit: '{person}' }).add(3);
  const lines = await scrape();
  expect(lines).toContain('# TYPE test_duration_seconds histogram');
  expect(lines).toContain('# UNIT test_duration_seconds seconds');
  expect(findSample(lines, 'test_duration_seconds_bucket{kind="a",service_name="measured",le="0.001"}')).toBe(0);
  expect(findSample(lines, 'test_duration_seconds_bucket{kind="a",service_name="measured",le="0.0025"}')).toBe(1);
  expect(lines).toContain('# TYPE test_things_total counter');
  expect(findSample(lines, 'test_things_total{service_name="measured"}')).toBe(2);
  expect(findSample(lines, 'test_size_bytes{service_name="measured"}')).toBe(7);
  expect(findSample(lines, 'test_people{service_name="measured"}')).toBe(3);
});

test('a process reports its build and resources', async () => {
  const lines = await eventually(async () => {
    const found = await scrape();
    // The delay of the event loop needs several measurements.
    return found.some((line) => line.startsWith('nodejs_eventloop_delay_p99_seconds{')) && found;
  }, 'the delay of the event loop');
  const build = 'saleschannel_build_info{version="1.2.3",commit="abcdef",service_name="measured"}';
  expect(findSample(lines, build)).toBe(1);
  const target = 'target_info{service_namespace="saleschannel",service_name="measured",service_version="1.2.3"}';
  expect(findSample(lines, target)).toBe(1);
  const positive = [
    'process_cpu_time_seconds_total{cpu_mode="user",service_name="measured"}',
    'process_memory_usage_bytes{service_name="measured"}',
    'process_uptime_seconds{service_name="measured"}',
    'saleschannel_heap_limit_bytes{service_name="measured"}',
    'nodejs_eventloop_delay_p99_seconds{service_name="measured"}',
    'nodejs_eventloop_time_seconds_total{nodejs_eventloop_state="active",service_name="measured"}',
    'v8js_memory_heap_used_bytes{v8js_heap_space_name="old_space",service_name="measured"}',
  ];
  expect(positive.filter((sample) => !((findSample(lines, sample) ?? 0) > 0))).toEqual([]);
});

test('a gauge without observations disappears', async () => {
  const gauge = meter().createObservableGauge('test.held');
  const observe = (result: ObservableResult): void => result.observe(5);
  const sample = 'test_held{service_name="measured"}';
  gauge.addCallback(observe);
  expect(findSample(await scrape(), sample)).toBe(5);
  gauge.removeCallback(observe);
  expect(findSample(await scrape(), sample)).toBeUndefined();
});

test('reports caches, stages and sales channels', async () => {
  const use = countCacheUse('test');
  expect(use.count('it')).toBe('it');
  expect(use.count(undefined)).toBeUndefined();
  const lagSince = createStageLag('event');
  lagSince(Date.now() - 3_000);
  // The clock of another machine may be ahead.
  lagSince(Date.now() + 60_000);
  const add = countBySalesChannel({ name: 'test.channel', description: 'Requests', kind: 'outcome' });
  for (let channel = 0; channel < 60; channel++) add(`channel-${channel}`, 'ok');
  const lines = await scrape();
  const formatLabels = (labels: string): string => `{${labels},service_name="measured"}`;
  const cached = (result: string): string =>
    `saleschannel_cache_requests_total${formatLabels(`cache="test",result="${result}"`)}`;
  expect(findSample(lines, cached('hit'))).toBe(1);
  expect(findSample(lines, cached('miss'))).toBe(1);
  expect(findSample(lines, `saleschannel_stage_lag_seconds_count${formatLabels('stage="event"')}`)).toBe(2);
  expect(
    findSample(lines, `saleschannel_stage_lag_seconds_bucket{stage="event",service_name="measured",le="2.5"}`),
  ).toBe(1);
  expect(lines).toContain('# TYPE test_channel_total counter');
  const channels = lines.filter((line) => line.startsWith('test_channel_total{'));
  expect(channels).toHaveLength(51);
  expect(findSample(lines, `test_channel_total${formatLabels('sales_channel_id="other",outcome="ok"')}`)).toBe(10);
});

test('a gauge that cannot be read does not affect others', async () => {
  const gauge = meter().createObservableGauge('test.stuck');
  const observe = (): Promise<never> => new Promise(() => undefined);
  gauge.addCallback(observe);
  const lines = await scrape();
  gauge.removeCallback(observe);
  expect(findSample(lines, 'process_memory_usage_bytes{service_name="measured"}')).toBeGreaterThan(0);
  expect(lines.filter((line) => line.startsWith('test_stuck'))).toEqual([]);
});

test('counts spans that the collector does not accept', async () => {
  const SPANS = 5_000;
  for (let span = 0; span < SPANS; span++) await withSpan('work', {}, () => Promise.resolve());
  const labels = 'otel_component_type="batching_span_processor",otel_component_name="batching_span_processor/0"';
  const lines = await scrape();
  const lost = findSample(
    lines,
    `otel_sdk_processor_span_processed_total{${labels},error_type="queue_full",service_name="measured"}`,
  );
  const capacity = findSample(lines, `otel_sdk_processor_span_queue_capacity{${labels},service_name="measured"}`);
  const waiting = findSample(lines, `otel_sdk_processor_span_queue_size{${labels},service_name="measured"}`);
  expect(capacity).toBe(2_048);
  expect(waiting).toBe(capacity);
  // Spans in transit count as neither queued nor lost.
  expect(lost).toBeGreaterThanOrEqual(SPANS - 2 * 2_048);
});

test('a process reports its version, and stops cleanly although its collector does not answer', async () => {
  const ownPort = await findFreePort();
  const child = fork(fileURLToPath(new URL('support/traced-service.ts', import.meta.url)), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [],
    env: {
      ...process.env,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector,
      METRICS_PORT: String(ownPort),
      SALESCHANNEL_COMMIT: 'abc123',
    },
  });
  await once(child, 'message');
  const lines = await scrape(ownPort);
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  const build = `saleschannel_build_info{version="${version}",commit="abc123",service_name="traced"}`;
  expect(findSample(lines, build)).toBe(1);
  child.kill('SIGTERM');
  // A killed process would have another exit code.
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('metrics of a hosted service have its name, in one family with others', async () => {
  const count = () => meter().createCounter('test.hosted').add(1);
  const countOfChannels = () =>
    countBySalesChannel({ name: 'test.hosted_channels', description: 'Requests', kind: 'outcome' })('c1', 'ok');
  for (const service of ['one', 'two'])
    await runAsService(service, async () => {
      count();
      // Also metrics created later.
      await Promise.resolve();
      countOfChannels();
    });
  count();
  const lines = await scrape();
  for (const service of ['one', 'two', 'measured'])
    expect(findSample(lines, `test_hosted_total{service_name="${service}"}`)).toBe(1);
  for (const service of ['one', 'two'])
    expect(lines.filter((line) => line.includes('test_hosted_channels') && line.includes(`"${service}"`))).toHaveLength(
      1,
    );
  expect(lines.filter((line) => line.startsWith('# TYPE test_hosted_'))).toHaveLength(2);
});

test('new metrics do not contain those of stopped ones', async () => {
  countBySalesChannel({ name: 'test.earlier', description: 'Requests', kind: 'outcome' })('c1', 'ok');
  await stop().catch(() => undefined);
  port = await findFreePort();
  stop = await startTelemetry({
    service: 'later',
    tracesEndpoint: undefined,
    metricsHost: '127.0.0.1',
    metricsPort: port,
  });
  meter().createCounter('test.later').add(1);
  const lines = await scrape();
  expect(findSample(lines, 'test_later_total{service_name="later"}')).toBe(1);
  expect(lines.filter((line) => line.startsWith('test_earlier'))).toEqual([]);
});
