import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SpanKind } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider, type ReadableSpan } from '@opentelemetry/sdk-trace';
import { registerTracing } from '@saleschannel/runtime';
import { eventually } from '@saleschannel/testing';
import { useOwnSystem } from './support/system.ts';
import {
  buyer,
  inventoryPath,
  issue,
  withIdempotencyKey,
  onboard,
  operator,
  waitForTransaction,
  retirementBody,
  seller,
  type Task,
} from './support/api.ts';

/**
 * Traces are off unless a process registers a tracer. One process has all services here, so one exporter gets every
 * span.
 */

const exporter = new InMemorySpanExporter();
const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
let endTracing: () => void;
beforeAll(async () => void (endTracing = await registerTracing(provider)));
afterAll(() => {
  endTracing();
  return provider.shutdown();
});

const CLIENT_SPAN = 'b7ad6b7169203331';

/** Spans of one trace, each with the names of its ancestors up to the client's span. */
function waysUp(traceId: string): string[][] {
  const spans = exporter.getFinishedSpans().filter((span) => span.spanContext().traceId === traceId);
  const byId = new Map(spans.map((span) => [span.spanContext().spanId, span]));
  const up = (span: ReadableSpan): string[] => {
    const parentId = span.parentSpanContext?.spanId ?? '';
    const parent = byId.get(parentId);
    return [span.name, ...(parent ? up(parent) : [parentId])];
  };
  return spans.map(up);
}

/** Retries, because a span is exported when it ends, shortly after its effects are visible. */
async function expectEventually(check: () => void): Promise<void> {
  const holds = async (): Promise<boolean> => {
    try {
      check();
      return true;
    } catch {
      return false;
    }
  };
  await eventually(holds, 'all spans').catch(check);
}

describe.each([
  ['inside the process', {}],
  ['over sockets', { sockets: true }],
])('with services calling each other %s', (_transport, options) => {
  const system = useOwnSystem(options);
  beforeAll(() => exporter.reset());

  test('one trace spans from the request to its event', async () => {
    const [channel] = system().channels;
    const client = system().createClient(operator(channel));
    const { range } = await issue(system(), channel);
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const path = inventoryPath(seller(channel).id, 'trade');
    const body = { buyerId: buyer(channel).id, currency: 'EUR', assets: [{ ...range(1, 10), unitPrice: 1 }] };
    await client.ok<Task>('POST', path, {
      body,
      headers: { ...withIdempotencyKey(), traceparent: `00-${traceId}-${CLIENT_SPAN}-01` },
    });
    await system().waitUntilDrained();

    const post = 'POST /saleschannel-services/v1/traders/{traderId}/inventory/trade';
    const request = [post, CLIENT_SPAN];
    const tasks = [
      'tasks.v1.TasksService/StartTransfers',
      'tasks.v1.TasksService/StartTransfers',
      'start transfers',
      ...request,
    ];
    const settle = ['inventory.transfers batch', 'inventory.transfers process', ...request];
    await expectEventually(() => {
      const found = waysUp(traceId);
      expect(found).toEqual(
        expect.arrayContaining([
          request,
          ['query', 'transaction', ...tasks],
          [
            'query',
            'traders.v1.TraderDirectoryService/GetParties',
            'traders.v1.TraderDirectoryService/GetParties',
            ...tasks,
          ],
          ['query', 'transaction', ...settle],
          ['query', 'transaction', 'events.log batch', 'events.log process', 'inventory.transfers process', ...request],
          [
            'query',
            'transaction',
            'tasks.outcomes batch',
            'tasks.outcomes process',
            'inventory.transfers process',
            ...request,
          ],
        ]),
      );
      // Every span descends from the client's.
      expect(found.filter((way) => way.at(-1) !== CLIENT_SPAN)).toEqual([]);
    });
    const kinds = new Map(exporter.getFinishedSpans().map(({ name, kind }) => [name, kind]));
    expect(kinds.get(post)).toBe(SpanKind.SERVER);
    expect(kinds.get('inventory.transfers process')).toBe(SpanKind.CONSUMER);
  });

  test('requests that share a batch keep separate traces', async () => {
    const [channel] = system().channels;
    const client = system().createClient(operator(channel));
    const traceIds = Array.from({ length: 20 }, (_, index) => `${index + 1}`.padStart(32, 'a'));
    const bundles = await Promise.all(traceIds.map(() => issue(system(), channel)));
    const path = inventoryPath(seller(channel).id, 'retire');
    await Promise.all(
      traceIds.map((traceId, index) =>
        client.ok('POST', path, {
          body: retirementBody([bundles[index]?.range(1, 1)]),
          headers: { ...withIdempotencyKey(), traceparent: `00-${traceId}-${CLIENT_SPAN}-01` },
        }),
      ),
    );
    await system().waitUntilDrained();
    const last = [
      'events.log process',
      'inventory.transfers process',
      'POST /saleschannel-services/v1/traders/{traderId}/inventory/retire',
      CLIENT_SPAN,
    ];
    await expectEventually(() => {
      for (const traceId of traceIds) expect(waysUp(traceId)).toContainEqual(last);
    });
  });

  test('an approval continues in the trace of its own request', async () => {
    const [channel] = system().channels;
    const client = system().createClient(operator(channel));
    const party = await onboard(system(), channel, { autoApproval: false });
    const { range } = await issue(system(), party);
    const path = inventoryPath(party.traderId, 'retire');
    const { taskId } = await client.ok<Task>('POST', path, {
      body: retirementBody([range(1, 1)]),
      headers: withIdempotencyKey(),
    });
    const transactionId = await waitForTransaction(client, `${path}/${taskId}`);
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    await system().registry.ok('POST', `/Registry/api/transactions/${transactionId}/approve`, {
      headers: { traceparent: `00-${traceId}-${CLIENT_SPAN}-01` },
    });
    await system().waitUntilDrained();
    await expectEventually(() => {
      const ways = waysUp(traceId).filter(([name]) => name === 'events.log process');
      expect(ways).toHaveLength(1);
      expect(ways[0]?.slice(-2)).toEqual(['POST /Registry/api/transactions/{transactionId}/approve', CLIENT_SPAN]);
    });
  });
});
