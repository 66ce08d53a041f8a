import { expect, test } from '@jest/globals';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { newId } from '@saleschannel/primitives';
import { registerTracing } from '@saleschannel/runtime';
import { startLog, statusChange } from './support.ts';

test('each traced event shows the append in the trace of its request', async () => {
  const exporter = new InMemorySpanExporter();
  await registerTracing(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
  const log = await startLog();
  const channel = newId();
  const traceparent = (digit: string): string => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`;
  const changes = [statusChange(channel, { traceparent: traceparent('a') }), statusChange(channel), statusChange(channel, { traceparent: traceparent('b') })];
  await log.ledger.publish(changes);
  await log.filled(channel, changes.length);
  // Stops after the batch is done, its spans ended.
  await log.stop();
  const spans = exporter.getFinishedSpans().filter(({ name }) => name === 'events.append');
  expect(spans.map((span) => [span.spanContext().traceId, span.parentSpanContext?.spanId, span.attributes['transaction.id']])).toEqual([
    ['a'.repeat(32), 'a'.repeat(16), changes[0]?.transactionId],
    ['b'.repeat(32), 'b'.repeat(16), changes[2]?.transactionId],
  ]);
});
