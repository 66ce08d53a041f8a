import { describe, expect, test } from '@jest/globals';
import { PRINCIPAL_MIN_REMAINING_MS, type Principal } from '@saleschannel/auth';
import { DomainError } from '@saleschannel/errors';
import { array, assert, asyncProperty, constantFrom, nat, oneof, record } from 'fast-check';
import { Authenticator, SESSION_LIFETIME_MS, type CredentialScope } from './authenticator.ts';
import { CONFIRMATION_LIFETIME_MS, QUIET_PERIOD_MS, RevocationWatch } from './revocation-watch.ts';

const GOOD_FOR_MS = 58_000;
const scope: CredentialScope = { surface: 'SALES_CHANNEL', receivers: ['tasks'] };
const toHeader = (keyId: string): string => `Basic ${Buffer.from(`${keyId}:s`).toString('base64')}`;

/**
 * Two services with audit trails, identity, and a gateway that polls when the test says so. The test sets the clock.
 */
function setUp({ goodForMs = GOOD_FOR_MS, of = {} as Partial<Principal> } = {}) {
  let nowMs = 0;
  let calls = 0;
  let isDown = false;
  let isRevoked = false;
  const trails = { identity: { c1: 1, c2: 1, installation: 1 }, rbac: { c1: 1, c2: 1, installation: 1 } };
  const duringPoll: (() => void)[] = [];
  let polls = 0;
  const watch = new RevocationWatch({
    now: () => nowMs,
    async readHeads(scopes) {
      polls += 1;
      if (isDown) throw new Error('down');
      for (const work of duringPoll.splice(0)) work();
      return Object.values(trails).map((trail) => ({
        heads: new Map(scopes.map((scope) => [scope, String(trail[scope as 'c1'] ?? 0)])),
        installation: String(trail.installation),
      }));
    },
  });
  const principal = { kind: 'user', userId: 'u', salesChannelId: 'c1', roles: [], accountHolderId: undefined, ...of };
  const authenticator = new Authenticator({
    now: () => nowMs,
    revocationWatch: watch,
    async authenticate() {
      calls += 1;
      if (isRevoked) throw new DomainError('unauthenticated', 'no');
      return { principalToken: `token ${calls}`, goodForMs };
    },
    verifier: { verifyPrincipal: async () => principal as Principal },
  });
  const get = async (header = toHeader('k')) =>
    authenticator.findSession(header, scope) ?? authenticator.authenticate(header, scope, {});
  return {
    authenticator,
    watch,
    trails,
    get,
    calls: () => calls,
    polls: () => polls,
    revoke: () => (isRevoked = true),
    setDown: (down: boolean) => (isDown = down),
    duringPoll: (work: () => void) => duringPoll.push(work),
    pass: (ms: number) => (nowMs += ms),
    /** Passes time with a poll every half second, as in production. */
    async passPolling(ms: number) {
      for (let left = ms; left > 0; left -= 500) {
        nowMs += 500;
        await watch.poll().catch(() => undefined);
      }
    },
  };
}

/** Polls until the channel has been quiet for long enough, then authenticates the key again. */
async function confirm(system: ReturnType<typeof setUp>, header?: string): Promise<void> {
  await system.get(header);
  await system.passPolling(SESSION_LIFETIME_MS);
  await system.get(header);
  await system.passPolling(QUIET_PERIOD_MS + SESSION_LIFETIME_MS);
  await system.get(header);
}

describe('a key in a channel without changes', () => {
  test('is authenticated again only when its token expires soon', async () => {
    const system = setUp();
    await confirm(system);
    const before = system.calls();
    await system.passPolling((GOOD_FOR_MS - PRINCIPAL_MIN_REMAINING_MS) / 2);
    await system.get();
    expect(system.calls()).toBe(before);
    await system.passPolling((GOOD_FOR_MS - PRINCIPAL_MIN_REMAINING_MS) / 2);
    await system.get();
    expect(system.calls()).toBe(before + 1);
  });

  test.each<[string, Parameters<typeof setUp>[0], string]>([
    ['whose user belongs to an account holder', { of: { accountHolderId: 'h' } as Partial<Principal> }, toHeader('k')],
    ['whose user is bound to no channel', { of: { salesChannelId: undefined } as Partial<Principal> }, toHeader('k')],
    ['that is a registry key', { of: { kind: 'registry', keyId: 'k' } as Partial<Principal> }, toHeader('k')],
    ['whose token ends soon', { goodForMs: PRINCIPAL_MIN_REMAINING_MS }, toHeader('k')],
    ['that is a token of the issuer', {}, 'Bearer a'],
  ])('is authenticated every two seconds: one %s', async (_what, options, header) => {
    const system = setUp(options);
    await confirm(system, header);
    const before = system.calls();
    await system.passPolling(SESSION_LIFETIME_MS);
    await system.get(header);
    expect(system.calls()).toBe(before + 1);
  });
});

test('channels without requests are not polled, and confirm nothing until they are polled again', async () => {
  const system = setUp();
  await system.passPolling(40_000);
  expect(system.polls()).toBe(0);
  await confirm(system);
  await system.passPolling(40_000);
  const before = [system.polls(), system.calls()];
  await system.passPolling(40_000);
  await system.get();
  expect([system.polls(), system.calls()]).toEqual([before[0], Number(before[1]) + 1]);
});

describe('two seconds after', () => {
  const changes: Record<string, (system: ReturnType<typeof setUp>) => void> = {
    'a key is deleted in its channel': ({ trails }) => (trails.identity.c1 += 1),
    'a role is taken in its channel': ({ trails }) => (trails.rbac.c1 += 1),
    'an operator disables a user': ({ trails }) => (trails.identity.installation += 1),
    'an operator suspends a channel': ({ trails }) => (trails.rbac.installation += 1),
    'the services stop answering': ({ setDown }) => setDown(true),
    'polling stops': () => undefined,
  };
  test.each(Object.keys(changes))('%s, a key is authenticated again without a broadcast', async (change) => {
    const system = setUp();
    await confirm(system);
    system.revoke();
    changes[change]?.(system);
    if (change === 'polling stops') system.pass(CONFIRMATION_LIFETIME_MS);
    else await system.passPolling(CONFIRMATION_LIFETIME_MS);
    await expect(system.get()).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  test('a change in another channel, it is not', async () => {
    const system = setUp();
    await confirm(system);
    const before = system.calls();
    system.trails.identity.c2 += 1;
    await system.passPolling(CONFIRMATION_LIFETIME_MS);
    await system.get();
    expect(system.calls()).toBe(before);
  });

  test('a change during a poll, whether or not the poll saw it', async () => {
    for (const isSeen of [true, false]) {
      const system = setUp();
      await confirm(system);
      const change = (): void => {
        system.revoke();
        if (isSeen) system.trails.rbac.c1 += 1;
      };
      system.duringPoll(change);
      await system.watch.poll();
      if (!isSeen) system.trails.rbac.c1 += 1;
      await system.passPolling(CONFIRMATION_LIFETIME_MS);
      await expect(system.get()).rejects.toMatchObject({ code: 'unauthenticated' });
    }
  });
});

test('a broadcast drops a confirmed key at once', async () => {
  const system = setUp();
  await confirm(system);
  system.authenticator.forgetKey('k');
  expect(system.authenticator.findSession(toHeader('k'), scope)).toBeUndefined();
});

test('no sequence of events keeps a revoked key for more than two seconds', async () => {
  const step = oneof(
    record({ kind: constantFrom('pass' as const), ms: nat(4_000) }),
    record({
      kind: constantFrom('poll' as const, 'get' as const, 'change' as const, 'down' as const, 'up' as const),
    }),
  );
  await assert(
    asyncProperty(array(step, { maxLength: 40 }), async (steps) => {
      const system = setUp();
      await confirm(system);
      for (const each of steps) {
        if (each.kind === 'pass') system.pass(each.ms);
        else if (each.kind === 'poll') await system.watch.poll().catch(() => undefined);
        else if (each.kind === 'get') await system.get();
        else if (each.kind === 'change') system.trails.rbac.c1 += 1;
        else system.setDown(each.kind === 'down');
      }
      // Revoked with its audit record, without a broadcast.
      system.revoke();
      system.trails.identity.c1 += 1;
      await system.passPolling(CONFIRMATION_LIFETIME_MS);
      await expect(system.get()).rejects.toMatchObject({ code: 'unauthenticated' });
    }),
    { numRuns: 200 },
  );
});
