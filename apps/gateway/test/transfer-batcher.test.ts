import { describe, expect, test } from '@jest/globals';
import { DomainError } from '@saleschannel/errors';
import type { SentTo } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import { eventually } from '@saleschannel/testing';
import {
  batchLimits,
  TransferBatcher,
  type BatchLimits,
  type StartedTransfer,
} from '../src/handlers/transfer-batcher.ts';
import { passTurns } from './support/http.ts';

type Transfers = NonNullable<SentTo<'tasks.StartTransfers'>['transfers']>;

const transfer = (selections = 1, idempotencyKey = newId()) => ({
  idempotencyKey,
  offramp: { assets: Array.from({ length: selections }, () => ({ start: 'a_1', end: 'a_1' })) },
});

interface StartedCall {
  readonly size: number;
  readonly keys: string[];
  readonly timeoutMs: number;
  finish(error?: Error): void;
}

const createClient = (gone: AbortSignal) => ({
  isDisconnected: gone.aborted,
  onDisconnect(listener: () => void) {
    gone.addEventListener('abort', listener);
    return () => gone.removeEventListener('abort', listener);
  },
});

/** A batcher whose calls the test answers. Without slow calls, timeouts and pacing unless a test sets them. */
function setUp(limits: Partial<BatchLimits> = {}) {
  const calls: StartedCall[] = [];
  const batcher = new TransferBatcher(
    ({ transfers = [] }: { transfers?: Transfers }, options) =>
      new Promise((resolve, reject) => {
        const results = transfers.map(({ idempotencyKey }) => ({
          task: { id: `task-${idempotencyKey}`, status: 'PENDING', idempotencyKey, message: 'waiting' },
          replayed: false,
        }));
        calls.push({
          size: transfers.length,
          keys: transfers.map(({ idempotencyKey }) => idempotencyKey ?? ''),
          timeoutMs: options?.timeoutMs ?? 0,
          finish: (error) => (error ? reject(error) : resolve({ results } as never)),
        });
      }),
    { ...batchLimits, slowAfterMs: 1_000_000, maxQueueMs: 1_000_000, timeoutMs: 1_000_000, pacing: [], ...limits },
  );
  const start = (
    request = transfer(),
    { salesChannelId = 'c', gone = new AbortController().signal } = {},
  ): Promise<StartedTransfer> =>
    batcher.start(request, { salesChannelId, client: createClient(gone), bodyBytes: JSON.stringify(request).length });
  /** Starts a transfer and returns its outcome. */
  const startForCode = (...args: Parameters<typeof start>): Promise<string> =>
    start(...args).then(
      () => 'started',
      (error: unknown) => (error instanceof DomainError ? error.code : String(error)),
    );
  const finishAll = async (): Promise<void> => {
    for (let done = 0; done < calls.length; done++) {
      calls[done]?.finish();
      await passTurns(3);
    }
  };
  return { calls, start, startForCode, finishAll };
}

/** On a stalled machine, a transfer may expire before it is sent. Then the next one is sent. */
const callUnderWay = ({ calls, startForCode }: Pick<ReturnType<typeof setUp>, 'calls' | 'startForCode'>) =>
  eventually(async () => {
    const code = startForCode();
    await passTurns(1);
    return calls.length > 0 && { code };
  }, 'a call');

describe('the batcher', () => {
  test('sends at once with few open calls, and batches otherwise', async () => {
    const maxConcurrentCalls = 2;
    const { calls, start, finishAll } = setUp({ maxConcurrentCalls });
    const started: Promise<unknown>[] = [];
    for (let index = 0; index < 10; index += 1) {
      started.push(start());
      await passTurns(1);
    }
    expect(calls.map(({ size }) => size)).toEqual(Array.from({ length: maxConcurrentCalls }, () => 1));
    calls[0]?.finish();
    await started[0];
    await passTurns(1);
    expect(calls.map(({ size }) => size)).toEqual([1, 1, 8]);
    await finishAll();
    await Promise.all(started);
  });

  test('batches the transfers of one turn, up to its limits of transfers, selections and bytes', async () => {
    const { maxTransfers, maxSelections } = batchLimits;
    const { calls, start, finishAll } = setUp({ maxConcurrentCalls: 2, maxBytes: 1_000_000 });
    const started = Array.from({ length: maxTransfers + 5 }, () => start());
    await passTurns(1);
    expect(calls.map(({ size }) => size)).toEqual([maxTransfers, 5]);
    await finishAll();
    const large = [maxSelections + 1, 1_000, 1_000, maxSelections - 1_000].map((count) => start(transfer(count)));
    await passTurns(1);
    expect(calls.slice(2).map(({ size }) => size)).toEqual([1, 2]);
    await finishAll();
    const long = [400_000, 400_000, 400_000, 2_000_000].map((bytes) => start(transfer(1, 'k'.repeat(bytes))));
    await passTurns(1);
    await finishAll();
    expect(calls.slice(5).map(({ size }) => size)).toEqual([2, 1, 1]);
    await Promise.all([...started, ...large, ...long]);
  });

  test('paces calls after a large batch, and not after a small one', async () => {
    const { calls, start, finishAll } = setUp({ pacing: [{ minItems: 3, intervalMs: 10_000 }], maxTransfers: 4 });
    const started: Promise<unknown>[] = [];
    const sizes = (): number[] => calls.map(({ size }) => size);
    const begin = async (count: number): Promise<void> => {
      for (let index = 0; index < count; index++) started.push(start());
      await passTurns(1);
    };
    await begin(2);
    calls[0]?.finish();
    await passTurns(3);
    await begin(3);
    expect(sizes()).toEqual([2, 3]);
    calls[1]?.finish();
    await passTurns(3);
    await begin(3);
    expect(sizes()).toEqual([2, 3]);
    await begin(1);
    expect(sizes()).toEqual([2, 3, 4]);
    await finishAll();
    await Promise.all(started);
    const short = setUp({ pacing: [{ minItems: 1, intervalMs: 1 }] });
    const first = short.start();
    await passTurns(1);
    short.calls[0]?.finish();
    await first;
    const second = short.start();
    await eventually(() => Promise.resolve(short.calls.length === 2), 'the second call');
    short.calls[1]?.finish();
    await second;
  });

  test('a failed call fails its own transfers only', async () => {
    const { calls, start, startForCode } = setUp();
    const lost = [startForCode(), startForCode()];
    await passTurns(1);
    calls[0]?.finish(new DomainError('unavailable', 'away'));
    expect(await Promise.all(lost)).toEqual(['unavailable', 'unavailable']);
    await passTurns(1);
    const next = start();
    await passTurns(1);
    calls[1]?.finish();
    expect((await next).task.status).toBe('PENDING');
  });

  test('refuses transfers beyond the bounds of its queue, per channel and in total', async () => {
    const client = new AbortController();
    const gone = client.signal;
    const { startForCode } = setUp({
      maxConcurrentCalls: 0,
      maxQueued: 5,
      maxQueuedPerChannel: 3,
      maxQueueMs: 1_000_000,
    });
    const outcomes: string[] = [];
    const note = (salesChannelId: string): void => {
      void startForCode(transfer(), { salesChannelId, gone }).then((code) =>
        outcomes.push(`${salesChannelId} ${code}`),
      );
    };
    for (const channel of ['a', 'a', 'a', 'a', 'b', 'b', 'b']) note(channel);
    await passTurns(3);
    expect(outcomes).toEqual(['a unavailable', 'b unavailable']);
    const bytes = setUp({ maxConcurrentCalls: 0, maxQueuedBytes: 1_000, maxQueueMs: 1_000_000 });
    void bytes.startForCode(transfer(1, 'k'.repeat(2_000)), { gone });
    expect(await bytes.startForCode(transfer())).toBe('unavailable');
    client.abort();
  });

  test('schedules channels round-robin', async () => {
    const { calls, start, finishAll } = setUp({ maxConcurrentCalls: 1, maxTransfers: 4 });
    const many = Array.from({ length: 20 }, (_, index) => start(transfer(1, `a${index}`), { salesChannelId: 'a' }));
    const few = [start(transfer(1, 'b0'), { salesChannelId: 'b' }), start(transfer(1, 'b1'), { salesChannelId: 'b' })];
    await passTurns(1);
    expect(calls[0]?.keys).toEqual(['a0', 'b0', 'a1', 'b1']);
    await finishAll();
    await Promise.all([...many, ...few]);
  });

  test('drops abandoned and expired transfers', async () => {
    const { calls, startForCode, finishAll } = setUp({ maxConcurrentCalls: 1, maxQueueMs: 1 });
    await callUnderWay({ calls, startForCode });
    const client = new AbortController();
    const left = startForCode(transfer(), { gone: client.signal });
    client.abort();
    expect(await left).toBe('unavailable');
    expect(await startForCode(transfer(), { gone: AbortSignal.abort() })).toBe('unavailable');
    expect(await startForCode()).toBe('unavailable');
    await finishAll();
    expect(calls).toHaveLength(1);
  });

  test('answers each transfer by its own deadline', async () => {
    const { calls, startForCode } = setUp({ maxQueueMs: 1, timeoutMs: 2 });
    const { code } = await callUnderWay({ calls, startForCode });
    expect(await code).toBe('unavailable');
    expect(calls[0]?.timeoutMs).toBeLessThanOrEqual(2);
    calls[0]?.finish();
  });

  test('a slow call does not delay others', async () => {
    const { calls, start } = setUp({ maxConcurrentCalls: 1, maxOpenCalls: 3, slowAfterMs: 1 });
    const started: Promise<unknown>[] = [];
    for (const count of [1, 2, 3]) {
      started.push(start());
      await eventually(() => Promise.resolve(calls.length === count), `call ${count}`);
    }
    const last = start();
    await passTurns(100);
    expect(calls).toHaveLength(3);
    calls[1]?.finish();
    await eventually(() => Promise.resolve(calls.length === 4), 'the call beyond the limit');
    for (const call of calls) call.finish();
    await Promise.all([...started, last]);
  });
});
