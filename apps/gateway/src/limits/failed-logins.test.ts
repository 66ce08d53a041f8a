import { beforeEach, expect, test } from '@jest/globals';
import { DomainError } from '@saleschannel/errors';
import { FailedLogins, type Attempt } from './failed-logins.ts';
import { WAITING_AT_MOST } from './lanes.ts';

let nowMs = 0;
let logins: FailedLogins;
/** What identity was asked for. */
let asked: string[] = [];
beforeEach(() => {
  nowMs = 0;
  asked = [];
  logins = new FailedLogins({ perMinute: 4, perKeyIdPerMinute: 2, now: () => nowMs });
});

const attempt = (address: string, id: string, secret: string): Attempt => ({
  address,
  id,
  fingerprint: `${id}:${secret}`,
});

/** 'in', or the code of the refusal. */
async function show(shown: Attempt, answered: Promise<void> = Promise.resolve()): Promise<string> {
  try {
    return await logins.verify(shown, async () => {
      asked.push(shown.fingerprint);
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
    codes.push(await show(attempt(address, idOf(index), `bad${asked.length}`)));
  return codes;
};

test('failures from one address are limited, whatever their key ids, and its good credentials are not', async () => {
  expect(await failTimes(6, '192.0.2.1', (index) => `k${index}`)).toEqual([
    ...Array.from({ length: 4 }, () => 'unauthenticated'),
    'rate-limited',
    'rate-limited',
  ]);
  expect(await show(attempt('192.0.2.1', 'never-seen', 'good'))).toBe('in');
  expect(await show(attempt('::ffff:192.0.2.1', 'k9', 'bad'))).toBe('rate-limited');
  expect(await show(attempt('192.0.2.2', 'k9', 'worse'))).toBe('unauthenticated');
});

test('failures with one key id are limited over all addresses, and its owner is not', async () => {
  const codes = [];
  for (let index = 0; index < 5; index += 1) codes.push(await show(attempt(`192.0.2.${index}`, 'k', `bad${index}`)));
  expect(codes).toEqual(['unauthenticated', 'unauthenticated', 'rate-limited', 'rate-limited', 'rate-limited']);
  expect(await show(attempt('192.0.2.9', 'k', 'good'))).toBe('in');
  expect(await show(attempt('192.0.2.1', 'k', 'good'))).toBe('in');
  expect(await show(attempt('192.0.2.1', 'other', 'bad'))).toBe('unauthenticated');
});

test('the limit is paid back', async () => {
  await failTimes(2, '192.0.2.1', () => 'k');
  expect(await show(attempt('192.0.2.1', 'k', 'bad'))).toBe('rate-limited');
  nowMs += 30_000;
  expect(await show(attempt('192.0.2.1', 'k', 'bad'))).toBe('unauthenticated');
});

test('while it is used up, the same wrong credential is not asked about again, for ten seconds', async () => {
  await failTimes(2, '192.0.2.1', () => 'k');
  const wrong = attempt('192.0.2.1', 'k', 'wrong');
  expect([await show(wrong), await show(wrong), await show(wrong)]).toEqual(
    Array.from({ length: 3 }, () => 'rate-limited'),
  );
  expect(asked.filter((each) => each === wrong.fingerprint)).toHaveLength(1);
  nowMs += 10_000;
  await show(wrong);
  expect(asked.filter((each) => each === wrong.fingerprint)).toHaveLength(2);
});

test('then few are asked about at a time, a line waits, and the rest is turned away', async () => {
  await failTimes(2, '192.0.2.1', () => 'k');
  asked = [];
  const answered = Promise.withResolvers<void>();
  const shown = Array.from({ length: WAITING_AT_MOST + 10 }, (_, index) =>
    show(attempt('192.0.2.1', 'k', `bad-${index}`), answered.promise),
  );
  const other = show(attempt('192.0.2.1', 'other', 'good'));
  expect(await Promise.all(shown.slice(-6))).toEqual(Array.from({ length: 6 }, () => 'rate-limited'));
  expect(asked).toHaveLength(5);
  expect(await other).toBe('in');
  answered.resolve();
  expect(new Set(await Promise.all(shown))).toEqual(new Set(['rate-limited']));
  expect(asked).toHaveLength(WAITING_AT_MOST + 5);
});

test('nobody waits for longer than five seconds', async () => {
  await failTimes(2, '192.0.2.1', () => 'k');
  const answered = Promise.withResolvers<void>();
  const shown = Array.from({ length: 5 }, (_, index) =>
    show(attempt('192.0.2.1', 'k', `x-${index}`), answered.promise),
  );
  nowMs += 5_001;
  asked = [];
  answered.resolve();
  expect(await Promise.all(shown)).toEqual(Array.from({ length: 5 }, () => 'rate-limited'));
  expect(asked).toEqual([]);
});

test('a credential that was good before does not wait behind those that fail', async () => {
  expect(await show(attempt('192.0.2.1', 'k', 'good'))).toBe('in');
  await failTimes(2, '192.0.2.1', () => 'k');
  const answered = Promise.withResolvers<void>();
  const stuck = Array.from({ length: 50 }, (_, index) =>
    show(attempt('192.0.2.1', 'k', `x-${index}`), answered.promise),
  );
  expect(await show(attempt('192.0.2.1', 'k', 'good'))).toBe('in');
  answered.resolve();
  await Promise.all(stuck);
});

test('what cannot be found out counts as no failure', async () => {
  for (let index = 0; index < 10; index += 1) {
    const failing = logins.verify(attempt('192.0.2.1', 'k', `x${index}`), () =>
      Promise.reject(new DomainError('unavailable', 'later')),
    );
    await expect(failing).rejects.toMatchObject({ code: 'unavailable' });
  }
  expect(await show(attempt('192.0.2.1', 'k', 'bad'))).toBe('unauthenticated');
});
