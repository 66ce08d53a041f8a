import { beforeEach, expect, test } from '@jest/globals';
import { DomainError } from '@saleschannel/errors';
import { QUEUE_LIMITS } from './channel-queues.ts';
import { FailedLogins, type Attempt } from './failed-logins.ts';

let nowMs = 0;
let logins: FailedLogins;
/** Fingerprints of the credentials that identity checked. */
let checked: string[] = [];
beforeEach(() => {
  nowMs = 0;
  checked = [];
  logins = new FailedLogins({ perMinute: 4, perKeyIdPerMinute: 2, now: () => nowMs });
});

const attempt = (address: string, id: string, secret: string): Attempt => ({
  address,
  id,
  fingerprint: `${id}:${secret}`,
});

/** Returns 'in', or the error code. */
async function logIn(shown: Attempt, answered: Promise<void> = Promise.resolve()): Promise<string> {
  try {
    return await logins.verify(shown, async () => {
      checked.push(shown.fingerprint);
      await answered;
      if (!shown.fingerprint.endsWith(':good')) throw new DomainError('unauthenticated', 'no');
      return 'in';
    });
  } catch (error) {
    return (error as DomainError).code;
  }
}

const failTimes = async (times: number, address: string, idOf: (index: number) => string) => {
  const codes: string[] = [];
  for (let index = 0; index < times; index += 1)
    codes.push(await logIn(attempt(address, idOf(index), `bad${checked.length}`)));
  return codes;
};

test('failures from one address are limited over all key ids, and its valid credentials are not', async () => {
  expect(await failTimes(6, '192.0.2.1', (index) => `k${index}`)).toEqual([
    ...Array.from({ length: 4 }, () => 'unauthenticated'),
    'rate-limited',
    'rate-limited',
  ]);
  expect(await logIn(attempt('192.0.2.1', 'never-seen', 'good'))).toBe('in');
  expect(await logIn(attempt('::ffff:192.0.2.1', 'k9', 'bad'))).toBe('rate-limited');
  expect(await logIn(attempt('192.0.2.2', 'k9', 'worse'))).toBe('unauthenticated');
});

test('failures with one key id are limited over all addresses, and its valid credential is not', async () => {
  const codes = [];
  for (let index = 0; index < 5; index += 1) codes.push(await logIn(attempt(`192.0.2.${index}`, 'k', `bad${index}`)));
  expect(codes).toEqual(['unauthenticated', 'unauthenticated', 'rate-limited', 'rate-limited', 'rate-limited']);
  expect(await logIn(attempt('192.0.2.9', 'k', 'good'))).toBe('in');
  expect(await logIn(attempt('192.0.2.1', 'k', 'good'))).toBe('in');
  expect(await logIn(attempt('192.0.2.1', 'other', 'bad'))).toBe('unauthenticated');
});

test('the limit recovers with time', async () => {
  await failTimes(2, '192.0.2.1', () => 'k');
  expect(await logIn(attempt('192.0.2.1', 'k', 'bad'))).toBe('rate-limited');
  nowMs += 30_000;
  expect(await logIn(attempt('192.0.2.1', 'k', 'bad'))).toBe('unauthenticated');
});

test('above the limit, the same wrong credential is not checked again for ten seconds', async () => {
  await failTimes(2, '192.0.2.1', () => 'k');
  const wrong = attempt('192.0.2.1', 'k', 'wrong');
  expect([await logIn(wrong), await logIn(wrong), await logIn(wrong)]).toEqual(
    Array.from({ length: 3 }, () => 'rate-limited'),
  );
  expect(checked.filter((each) => each === wrong.fingerprint)).toHaveLength(1);
  nowMs += 10_000;
  await logIn(wrong);
  expect(checked.filter((each) => each === wrong.fingerprint)).toHaveLength(2);
});

test('above the limit, few are checked at a time, others queue, and a full queue rejects the rest', async () => {
  await failTimes(2, '192.0.2.1', () => 'k');
  checked = [];
  const answered = Promise.withResolvers<void>();
  const shown = Array.from({ length: QUEUE_LIMITS.maxQueuedPerOwner + 10 }, (_, index) =>
    logIn(attempt('192.0.2.1', 'k', `bad-${index}`), answered.promise),
  );
  const other = logIn(attempt('192.0.2.1', 'other', 'good'));
  expect(await Promise.all(shown.slice(-6))).toEqual(Array.from({ length: 6 }, () => 'rate-limited'));
  expect(checked).toHaveLength(5);
  expect(await other).toBe('in');
  answered.resolve();
  expect(new Set(await Promise.all(shown))).toEqual(new Set(['rate-limited']));
  expect(checked).toHaveLength(QUEUE_LIMITS.maxQueuedPerOwner + 5);
});

test('an attempt queues for at most five seconds', async () => {
  await failTimes(2, '192.0.2.1', () => 'k');
  const answered = Promise.withResolvers<void>();
  const shown = Array.from({ length: 5 }, (_, index) =>
    logIn(attempt('192.0.2.1', 'k', `x-${index}`), answered.promise),
  );
  nowMs += 5_001;
  checked = [];
  answered.resolve();
  expect(await Promise.all(shown)).toEqual(Array.from({ length: 5 }, () => 'rate-limited'));
  expect(checked).toEqual([]);
});

test('a credential that was valid before skips the queue', async () => {
  expect(await logIn(attempt('192.0.2.1', 'k', 'good'))).toBe('in');
  await failTimes(2, '192.0.2.1', () => 'k');
  const answered = Promise.withResolvers<void>();
  const stuck = Array.from({ length: 50 }, (_, index) =>
    logIn(attempt('192.0.2.1', 'k', `x-${index}`), answered.promise),
  );
  expect(await logIn(attempt('192.0.2.1', 'k', 'good'))).toBe('in');
  answered.resolve();
  await Promise.all(stuck);
});

test('a failed check does not count as a failed log-in', async () => {
  for (let index = 0; index < 10; index += 1) {
    const failing = logins.verify(attempt('192.0.2.1', 'k', `x${index}`), () =>
      Promise.reject(new DomainError('unavailable', 'later')),
    );
    await expect(failing).rejects.toMatchObject({ code: 'unavailable' });
  }
  expect(await logIn(attempt('192.0.2.1', 'k', 'bad'))).toBe('unauthenticated');
});
