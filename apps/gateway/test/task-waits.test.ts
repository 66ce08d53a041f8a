import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { notFound, unavailable } from '@saleschannel/errors';
import type { Call, RequestOf } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import { eventually } from '@saleschannel/testing';
import { readWait } from '../src/handlers/tasks.ts';
import { fakes } from './support/fakes.ts';
import type { RawAnswer } from './support/http.ts';
import { findOperation } from './support/public-contract.ts';
import { buildRequest, startSystem, type CallOptions, type System } from './support/system.ts';

/** `Prefer: wait=N`. The test answers for the task service. */

/** One open wait of the task service. */
class Waiting {
  readonly ids: readonly string[];
  readonly call: Call;
  #ended: object[] = [];
  #isOver = false;
  #wake: () => void = () => undefined;

  constructor(request: object, call: Call) {
    this.ids = (request as RequestOf<'tasks.WaitForTasks'>).tasks.map(({ task }) => task?.taskId ?? '');
    this.call = call;
    call.signal.addEventListener('abort', () => this.#wake());
  }

  end(id: string, status = 'SUCCESS'): void {
    this.#ended.push({ id, status, idempotencyKey: 'k', message: 'done', transactionId: 'x' });
    this.#wake();
  }

  /** Ends the call. */
  stop(): void {
    this.#isOver = true;
    this.#wake();
  }

  async *messages(): AsyncGenerator<unknown> {
    let left = this.ids.length;
    yield { tasks: [] };
    while (left > 0 && !this.#isOver && !this.call.signal.aborted) {
      const tasks = this.#ended.splice(0);
      left -= tasks.length;
      if (tasks.length > 0) yield { tasks };
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

let system: System;
let nowMs = 0;
let calls: Waiting[];
/** Calls of the task service, in order. */
let calledRpcs: string[];

const pending = (id: string) => ({ id, status: 'PENDING', idempotencyKey: 'k', message: 'as it is now' });

function listen({ rpcs }: System): void {
  calls = [];
  calledRpcs = [];
  Object.assign(rpcs.tasks, fakes.tasks);
  const start = fakes.tasks.StartTransfers;
  rpcs.tasks['StartTransfers'] = (request) => {
    calledRpcs.push('StartTransfers');
    return start(request);
  };
  rpcs.tasks['GetTask'] = ({ taskId }) => {
    calledRpcs.push('GetTask');
    return pending(String(taskId));
  };
  rpcs.tasks['WaitForTasks'] = (request, call) => {
    calledRpcs.push('WaitForTasks');
    const waiting = new Waiting(request, call);
    calls.push(waiting);
    return waiting.messages();
  };
}

beforeAll(async () => {
  const variables = { TASK_WAITS_AT_MOST: '90', TASK_WAITS_PER_CHANNEL: '70', CHANNEL_READS_AT_ONCE: '1' };
  system = await startSystem(variables, { now: () => nowMs });
});
beforeEach(() => listen(system));
afterAll(() => system.stop());

const parseTask = ({ text }: RawAnswer) => JSON.parse(text) as { taskId: string; status: string; message: string };
const preferring = (prefer: string | string[], headers: object = {}): CallOptions['headers'] => ({
  Prefer: prefer,
  ...headers,
});
const nthCall = (index: number): Promise<Waiting> =>
  eventually(() => Promise.resolve(calls[index]), `call ${index} that waits`);

/** Response to a trade without a wait, or before its end. */
function expectPending(answer: RawAnswer, applied: string | undefined): void {
  expect([answer.status, parseTask(answer).status]).toEqual([201, 'PENDING']);
  expect(answer.headers['retry-after']).toBe('1');
  expect(answer.headers['preference-applied']).toBe(applied);
}

describe('a client that prefers to wait', () => {
  test.each(['startTrade', 'startRetirement', 'startOfframp'])('gets its finished task from %s', async (name) => {
    const answering = system.call(name, { headers: preferring('wait=5', { 'Idempotency-Key': 'k-1' }) });
    (await nthCall(0)).end('task-k-1', 'FAILED');
    const answer = await answering;
    expect([answer.status, parseTask(answer)]).toMatchObject([201, { taskId: 'task-k-1', status: 'FAILED' }]);
    expect(answer.headers).toMatchObject({ 'preference-applied': 'wait=5' });
    expect(answer.headers).not.toHaveProperty('retry-after');
    expect(answer.headers['location']).toMatch(/\/task-k-1$/);
    expect(calledRpcs).toEqual(['StartTransfers', 'WaitForTasks']);
  });

  test.each(['getTradeTask', 'getRetirementTask', 'getOfframpTask'])('gets it from %s', async (name) => {
    const answering = system.call(name, { path: { taskId: 't1' }, headers: preferring('wait=99') });
    (await nthCall(0)).end('t1');
    const answer = await answering;
    expect([answer.status, parseTask(answer).status]).toEqual([200, 'SUCCESS']);
    expect(answer.headers['preference-applied']).toBe('wait=10');
  });

  test('waits for the task of an earlier request with its key, unless it has ended', async () => {
    let status = 'PENDING';
    system.rpcs.tasks['StartTransfers'] = () => ({ results: [{ task: { ...pending('t1'), status }, replayed: true }] });
    const headers = preferring('wait=5');
    const answering = system.call('startTrade', { headers });
    (await nthCall(0)).end('t1');
    status = 'SUCCESS';
    for (const answer of [await answering, await system.call('startTrade', { headers })]) {
      expect(parseTask(answer).status).toBe('SUCCESS');
      expect(answer.headers).toMatchObject({ 'idempotency-replayed': 'true', 'preference-applied': 'wait=5' });
    }
    expect(calls).toHaveLength(1);
  });

  test('gets the pending task at the end of the time', async () => {
    const answer = await system.call('startTrade', { headers: preferring('wait=1') });
    expectPending(answer, 'wait=1');
    expect(parseTask(answer).message).toBe('as it is now');
    await eventually(async () => calls[0]?.call.signal.aborted, 'the end of the call that waits');
  });

  test('may use one of several headers, and unknown preferences are ignored', async () => {
    const answering = system.call('startTrade', { headers: preferring(['respond-async', 'wait=5;a=b', 'wait=9']) });
    const call = await nthCall(0);
    call.end(call.ids[0] ?? '');
    expect((await answering).headers['preference-applied']).toBe('wait=5');
    for (const prefer of ['wait', 'wait=x, wait=5', 'handling=strict; wait=5', '=,"'])
      expectPending(await system.call('startTrade', { headers: preferring(prefer) }), undefined);
    expect(calls).toHaveLength(1);
  });

  test('gets the same from the previous generation', async () => {
    const { path = '', ...sent } = buildRequest(
      findOperation('getTradeTask'),
      { headers: preferring('wait=5') },
      () => system.user().authorization,
    );
    const answering = system.raw({ ...sent, path: path.replace('/v1/', '/') });
    const call = await nthCall(0);
    call.end(call.ids[0] ?? '');
    expect((await answering).headers['preference-applied']).toBe('wait=5');
  });
});

test('sixty tasks share few calls, and each is answered at its own end', async () => {
  const as = system.user().authorization;
  const keys = Array.from({ length: 60 }, (_, index) => `k${index}`);
  const answered: string[] = [];
  const answering = keys.map((key) =>
    system.call('startTrade', { as, headers: preferring('wait=10', { 'Idempotency-Key': key }) }).then((answer) => {
      answered.push(parseTask(answer).taskId);
      return answer;
    }),
  );
  await eventually(async () => calls.flatMap(({ ids }) => ids).length === keys.length, 'all waits');
  const transfers = calledRpcs.filter((name) => name === 'StartTransfers').length;
  expect(calls.length).toBeLessThanOrEqual(transfers);
  const end = (id: string) => calls.find(({ ids }) => ids.includes(id))?.end(id);
  const last = keys.map((key) => `task-${key}`).toReversed();
  for (const id of last.slice(0, 59)) end(id);
  await eventually(async () => answered.length === 59, 'all answers but one');
  expect(answered).not.toContain(last[59]);
  end(last[59] ?? '');
  for (const answer of await Promise.all(answering))
    expect([parseTask(answer).status, answer.headers['preference-applied']]).toEqual(['SUCCESS', 'wait=10']);
});

describe('the number of waits is limited', () => {
  const waitAll = (count: number, as: string) => {
    const before = calls.flatMap(({ ids }) => ids).length;
    const answering = Array.from({ length: count }, () =>
      // Does not use the shared connections of other calls.
      system.call('startTrade', { as, headers: preferring('wait=10', { Connection: 'close' }) }),
    );
    return {
      answering,
      ready: eventually(async () => calls.flatMap(({ ids }) => ids).length === before + count, 'all waits'),
    };
  };

  test('per sales channel and in total, and further requests are answered at once', async () => {
    const [one, other] = [system.user({ salesChannelId: 'c1' }), system.user({ salesChannelId: 'c2' })];
    const first = waitAll(50, one.authorization);
    await first.ready;
    // The first fifty occupy the sockets of a client. These have their own.
    const more = Array.from({ length: 20 }, () => held(one.authorization));
    await eventually(async () => calls.flatMap(({ ids }) => ids).length === 70, 'all of the channel');
    expectPending(await system.call('startTrade', { as: one.authorization, headers: preferring('wait=5') }), undefined);
    // Other channels have room, until the total is reached.
    const others = Array.from({ length: 20 }, () => held(other.authorization));
    await eventually(async () => calls.flatMap(({ ids }) => ids).length === 90, 'all there may be');
    const third = system.user({ salesChannelId: 'c3' }).authorization;
    expectPending(await system.call('startTrade', { as: third, headers: preferring('wait=5') }), undefined);
    // A disconnected client makes room.
    for (const each of [...more, ...others]) each.disconnect();
    const fourth = await eventually(async () => {
      const length = calls.length;
      const answering = system.call('startTrade', { as: third, headers: preferring('wait=10') });
      const answer = await Promise.race([answering, eventually(async () => calls[length], 'a call').catch(() => null)]);
      return answer instanceof Waiting && { waiting: answer, answering };
    }, 'room');
    fourth.waiting.end(fourth.waiting.ids[0] ?? '');
    expect(parseTask(await fourth.answering).status).toBe('SUCCESS');
    for (const call of calls) call.stop();
    for (const answer of await Promise.all(first.answering)) expectPending(answer, undefined);
  });
});

/** A request on its own connection, whose client may disconnect. */
function held(as: string, { address } = system): { disconnect(): void; readonly answer: Promise<IncomingMessage> } {
  const headers = preferring('wait=10', { 'Idempotency-Key': newId() });
  const { method, path, body, ...sent } = buildRequest(findOperation('startTrade'), { headers }, () => as);
  const [host = '', port = ''] = address.split(':');
  const sending = request({ host, port, method, path, agent: false, ...sent });
  const answer = new Promise<IncomingMessage>((resolve) =>
    sending.on('response', (response) => resolve(response.resume())),
  );
  sending.on('error', () => undefined).end(body);
  return { disconnect: () => void sending.destroy(), answer };
}

describe('a wait ends', () => {
  test('when the client disconnects', async () => {
    const client = held(system.user().authorization);
    const { call } = await nthCall(0);
    client.disconnect();
    await eventually(async () => call.signal.aborted, 'the end of the call that waits');
  });

  test('when the gateway stops, with the last known state', async () => {
    const own = await startSystem();
    listen(own);
    const client = held(own.user().authorization, own);
    await nthCall(0);
    const [{ statusCode, headers }] = await Promise.all([client.answer, own.stop()]);
    expect([statusCode, headers['retry-after'], headers['preference-applied']]).toEqual([201, '1', undefined]);
  });

  test.each(['stops', 'fails', 'is of an earlier release'])('when the task service %s', async (what) => {
    if (what === 'stops') {
      const answering = system.call('startTrade', { headers: preferring('wait=10') });
      (await nthCall(0)).stop();
      expectPending(await answering, undefined);
      return;
    }
    system.rpcs.tasks['WaitForTasks'] = () => {
      throw what === 'fails' ? unavailable(new Error('the database is lost')) : notFound();
    };
    expectPending(await system.call('startTrade', { headers: preferring('wait=10') }), undefined);
  });

  test('with the state from before if rights have ended meanwhile', async () => {
    const { authorization } = system.user();
    const answering = system.call('startTrade', {
      as: authorization,
      headers: preferring('wait=10', { 'Idempotency-Key': 'k-9' }),
    });
    const call = await nthCall(0);
    system.credentials.bearer.clear();
    nowMs += 3_000;
    call.end('task-k-9');
    expectPending(await answering, undefined);
  });
});

test('a wait costs nothing, and occupies no place', async () => {
  const as = system.user().authorization;
  const waiting = system.call('getTradeTask', { as, path: { taskId: 't1' }, headers: preferring('wait=10') });
  const call = await nthCall(0);
  // The channel has one place for reads.
  const left = async () => {
    const { headers } = await system.call('getTradeTask', { as, path: { taskId: 't2' } });
    return Number(/r=(\d+)/.exec(String(headers['ratelimit']))?.[1]);
  };
  const before = await left();
  nowMs += 900;
  call.end('t1');
  await waiting;
  nowMs -= 900;
  expect(await left()).toBe(before - 1);
});

describe('the preference to wait', () => {
  test.each<[string | undefined, number | undefined]>([
    ['wait=5', 5],
    ['Wait = 5', 5],
    ['wait="5"', 5],
    ['wait=007', 7],
    ['respond-async, wait=5', 5],
    ['return=minimal; foo="a, wait=9";bar, wait=5;x=y', 5],
    ['"wait=9", wait=5', 5],
    ['foo="\\", wait=9", wait=5', 5],
    [',, wait=5', 5],
    // Node joins repeated headers.
    ['handling=lenient, wait=5', 5],
    // The first one counts, even if it is invalid.
    ['wait=3, wait=5', 3],
    ['wait=x, wait=5', undefined],
    ['wait=11', 10],
    [`wait=${'9'.repeat(400)}`, 10],
    [undefined, undefined],
    ['', undefined],
    ['wait', undefined],
    ['wait=', undefined],
    ['wait=0', undefined],
    ['wait=-1', undefined],
    ['wait=1.5', undefined],
    ['wait=1e1', undefined],
    ['wait=5s', undefined],
    ['wait="5', undefined],
    ['respond-async; wait=5', undefined],
    ['await=5', undefined],
    ['foo="wait=5"', undefined],
    [`a="${'\\"'.repeat(8_000)}, wait=5`, undefined],
  ])('%j means %j seconds', (header, seconds) => {
    expect(readWait(header)).toBe(seconds);
  });
});
