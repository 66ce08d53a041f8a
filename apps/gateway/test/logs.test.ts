import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { SpanStatusCode } from '@opentelemetry/api';
import { createLogger, registerTracing } from '@saleschannel/runtime';
import { eventually } from '@saleschannel/testing';
import { startSystem, type System } from './support/system.ts';

const exporter = new InMemorySpanExporter();
const lines: Record<string, unknown>[] = [];
const destination = new Writable({
  write(chunk: Buffer, _encoding, done) {
    lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
    done();
  },
});

let system: System;
let endTracing: () => void;
beforeAll(async () => {
  endTracing = await registerTracing(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
  system = await startSystem({}, { logger: createLogger('gateway', 'info', destination) });
});
afterAll(async () => {
  await system.stop();
  endTracing();
});

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const CLIENT_SPAN = 'b7ad6b7169203331';

const send = (path: string, requestId: string) =>
  system.raw({
    path: `/saleschannel-services/v1/${path}`,
    headers: {
      Authorization: system.user().authorization,
      'X-Request-Id': requestId,
      traceparent: `00-${TRACE_ID}-${CLIENT_SPAN}-01`,
    },
  });

/** Waits for the gateway's span of a request. */
const findSpan = (requestId: string) =>
  eventually(
    async () =>
      Promise.resolve(
        exporter.getFinishedSpans().find(({ attributes }) => attributes['saleschannel.request_id'] === requestId),
      ),
    'the span of the request',
  );

test('a failure is logged with its request, sales channel and trace, and its span names the request', async () => {
  system.rpcs.inventory['GetSupplier'] = () => Promise.reject(new Error('a fault of ours'));
  expect(await send('suppliers/s1', 'failing-1')).toMatchObject({ status: 500 });
  const span = await findSpan('failing-1');
  expect(lines.filter(({ requestId }) => requestId === 'failing-1')).toMatchObject([
    {
      level: 'error',
      service: 'gateway',
      operation: 'getSupplier',
      salesChannelId: 'c1',
      trace_id: TRACE_ID,
      span_id: span.spanContext().spanId,
    },
  ]);
  expect(span.spanContext().traceId).toBe(TRACE_ID);
  expect(span.status.code).toBe(SpanStatusCode.ERROR);
  expect(span.attributes).toMatchObject({
    'http.request.method': 'GET',
    'http.response.status_code': 500,
    'saleschannel.operation': 'getSupplier',
    'saleschannel.sales_channel_id': 'c1',
    'error.type': 'internal',
  });
});

test('a refusal does not mark the span as failed', async () => {
  expect(await send('suppliers/s1?unknown=1', 'refused-1')).toMatchObject({ status: 400 });
  const span = await findSpan('refused-1');
  expect(span.status.code).toBe(SpanStatusCode.UNSET);
  expect(span.attributes).toMatchObject({ 'http.response.status_code': 400 });
});
