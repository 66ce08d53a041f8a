import { afterEach, expect, test, describe } from '@jest/globals';
import { DomainError, internal, notFound, unavailable } from '@saleschannel/errors';
import { eventually } from '@saleschannel/testing';
import { AvailabilityWatch } from '../src/availability.ts';
import { isContended, isTransient } from '../src/index.ts';

describe('errors', () => {
  const failure = (code: string, message = 'it failed'): Error => Object.assign(new Error(message), { code });

  describe('transient for any statement', () => {
    const states = [
      ['08006', 'connection failure'],
      ['25006', 'a read-only transaction, as on a standby'],
      ['25P03', 'idle in transaction for too long'],
      ['28P01', 'a password that is being changed'],
      ['42501', 'a right that is withdrawn'],
      ['3F000', 'a schema that is being restored'],
      ['42703', 'a column of another release'],
      ['42704', 'a type of another release'],
      ['42883', 'a function of another release'],
      ['42P01', 'a table that is being restored'],
      ['42P10', 'a unique index of another release'],
      ['42804', 'a column of another type'],
      ['40001', 'serialization failure'],
      ['40P01', 'deadlock'],
      ['53100', 'disk full'],
      ['53300', 'too many connections'],
      ['55P03', 'lock not available'],
      ['57014', 'cancelled, also by its timeout'],
      ['57P01', 'the server is stopping'],
      ['57P03', 'the server is starting'],
      ['58030', 'input or output failed'],
      ['XX001', 'damaged data'],
    ] as const;
    test.each(states)('%s (%s)', (code, what) => expect(isTransient(failure(code, what))).toBe(true));

    const codes = [
      'ECONNREFUSED',
      'ECONNRESET',
      'EHOSTUNREACH',
      'ENETUNREACH',
      'EAI_AGAIN',
      'ENOTFOUND',
      'ETIMEDOUT',
      'EPIPE',
    ];
    test.each(codes)('%s', (code) => expect(isTransient(failure(code))).toBe(true));

    const messages = [
      'Connection terminated unexpectedly',
      'Query read timeout',
      'timeout exceeded when trying to connect',
      'Client has encountered a connection error and is not queryable',
    ];
    test.each(messages)('%s', (message) => expect(isTransient(new Error(message))).toBe(true));

    test('an unavailable error of another service, and an error with such a cause', () => {
      expect(isTransient(unavailable(undefined))).toBe(true);
      expect(isTransient(new DomainError('rate-limited', 'slow down'))).toBe(true);
      expect(isTransient(new Error('not recorded', { cause: failure('ECONNRESET') }))).toBe(true);
    });
  });

  describe('permanent', () => {
    test.each(['22007', '23505', '23514', '40002', '42601', '54001', 'P0001'])('%s', (code) =>
      expect(isTransient(failure(code))).toBe(false),
    );

    test('errors that the code throws, with any message', () => {
      expect(isTransient(new Error('a head of the event log is missing'))).toBe(false);
      expect(isTransient(notFound())).toBe(false);
      expect(isTransient(internal(failure('57P01')))).toBe(false);
      expect(isTransient('57P01')).toBe(false);
      expect(isTransient(failure('22P02', 'invalid input: "Connection terminated"'))).toBe(false);
    });
  });

  test('contention concerns these rows only, also as the cause of "unavailable"', () => {
    for (const code of ['55P03', '57014', '40P01', '40001']) expect(isContended(unavailable(failure(code)))).toBe(true);
    for (const code of ['25006', '53100', '57P01', '23505'])
      expect(isContended(unavailable(failure(code)))).toBe(false);
    expect(isContended(unavailable(new Error('Query read timeout')))).toBe(false);
  });
});

const watches: AvailabilityWatch[] = [];
afterEach(async () => {
  for (const watch of watches.splice(0)) await watch.stop();
});

/** Creates a watch with these probe results, in order. The last one repeats. */
async function createWatch(answers: (() => boolean)[], lostAfterMs = 60_000) {
  let count = 0;
  const seen: boolean[] = [];
  const watch = new AvailabilityWatch({
    probe: () => {
      seen.push(watch.isUsable);
      return Promise.resolve((answers[count++] ?? answers.at(-1))?.() ?? false);
    },
    probeEveryMs: 1,
    lostAfterMs,
  });
  watches.push(watch);
  await watch.start();
  /** Whether it was usable before each probe, and after the last of the given results. */
  const verdicts = async (): Promise<boolean[]> => {
    await eventually(() => Promise.resolve(seen.length > answers.length), 'all answers');
    return seen.slice(1, answers.length + 1);
  };
  return { watch, verdicts };
}

const yes = (): boolean => true;
const no = (): boolean => false;
/** Blocks the thread. */
const block = (ms: number) => (): boolean => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  return false;
};

test('two consecutive missed probes make it unusable, and one answer usable again', async () => {
  const { verdicts } = await createWatch([yes, no, yes, no, no, yes, yes]);
  expect(await verdicts()).toEqual([true, true, true, true, false, true, true]);
});

test('the first probe alone determines the initial state', async () => {
  const { watch } = await createWatch([no]);
  expect(watch.isUsable).toBe(false);
});

test('probes missed while the process stalls do not count, unless it keeps stalling', async () => {
  const stalled = block(700);
  const few = await createWatch([yes, stalled, stalled, stalled, yes, yes]);
  expect(await few.verdicts()).toEqual([true, true, true, true, true, true]);
  const many = await createWatch([yes, ...Array.from({ length: 7 }, () => stalled)]);
  expect((await many.verdicts()).at(-1)).toBe(false);
});

test('a database is lost after a long time without an answer, until the next answer', async () => {
  let isThere = true;
  const { watch } = await createWatch([() => isThere], 30);
  const changes: boolean[] = [];
  watch.onChange(() => changes.push(watch.isLost));
  const removed = watch.onChange(() => changes.push(false));
  removed();
  isThere = false;
  await eventually(() => Promise.resolve(watch.isLost), 'the loss');
  expect(watch.isUsable).toBe(false);
  isThere = true;
  await eventually(() => Promise.resolve(!watch.isLost), 'the return');
  expect(watch.isUsable).toBe(true);
  expect(changes).toEqual([true, false]);
});
