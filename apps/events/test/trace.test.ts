import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { newId } from '@saleschannel/primitives';
import { registerTracing } from '@saleschannel/runtime';
import { startEvents, statusChange } from './support/events.ts';

const exporter = new InMemorySpanExporter();
const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
let endTracing: () => void;
beforeAll(async () => void (endTracing = await registerTracing(provider)));
afterAll(() => endTracing());

test('each event appears in the trace of its request, and the batch in one of them', async () => {
  const log = await startEvents();
  const channel = newId();
  const traceparent = (digit: string): string => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`;
  const changes = [
    statusChange(channel, { traceparent: traceparent('a') }),
    statusChange(channel),
    statusChange(channel, { traceparent: traceparent('b') }),
  ];
  await log.publish(changes);
  await log.filled(channel, changes.length);
  // Waits for the end of the batch and its spans.
  await log.stop();
  const spansOf = (name: string): unknown[] =>
    exporter
      .getFinishedSpans()
      .filter((span) => span.name === name)
      .map((span) => [span.spanContext().traceId, span.parentSpanContext?.spanId]);
  expect(spansOf('events.log process')).toEqual([
    ['a'.repeat(32), 'a'.repeat(16)],
    ['b'.repeat(32), 'b'.repeat(16)],
  ]);
  const [first] = exporter.getFinishedSpans().filter(({ name }) => name === 'events.log process');
  expect(spansOf('events.log batch')).toEqual([['a'.repeat(32), first?.spanContext().spanId]]);
});
