import { describe, expect, test } from '@jest/globals';
import { PRINCIPAL_LEFT_MS, type Principal } from '@saleschannel/auth';
import { DomainError } from '@saleschannel/errors';
import { array, assert, asyncProperty, constantFrom, nat, oneof, record } from 'fast-check';
import { Authenticator, SESSION_LIFETIME_MS, type Door } from './authenticator.ts';
import { CONFIRMED_MS, QUIET_MS, Standing } from './standing.ts';

const GOOD_FOR_MS = 58_000;
const door: Door = { surface: 'SALES_CHANNEL', receivers: ['tasks'] };
const headerOf = (keyId: string): string => `Basic ${Buffer.from(`${keyId}:s`).toString('base64')}`;

/** Two services with trails, identity, and a gateway that looks when it is told to. The clock is the test's own. */
function setUp({ goodForMs = GOOD_FOR_MS, of = {} as Partial<Principal> } = {}) {
  let nowMs = 0;
  let asked = 0;
  let isAway = false;
  let isRevoked = false;
  const trails = { identity: { c1: 1, c2: 1, installation: 1 }, rbac: { c1: 1, c2: 1, installation: 1 } };
  const looks: (() => void)[] = [];
  let looked = 0;
  const standing = new Standing({
    now: () => nowMs,
    async readEnds(scopes) {
      looked += 1;
      if (isAway) throw new Error('away');
      for (const look of looks.splice(0)) look();
      return Object.values(trails).map((trail) => ({
        ends: new Map(scopes.map((scope) => [scope, String(trail[scope as 'c1'] ?? 0)])),
        installation: String(trail.installation),
      }));
    },
  });
  const principal = { kind: 'user', userId: 'u', salesChannelId: 'c1', roles: [], accountHolderId: undefined, ...of };
  const authenticator = new Authenticator({
    now: () => nowMs,
    standing,
    async authenticate() {
      asked += 1;
      if (isRevoked) throw new DomainError('unauthenticated', 'no');
      return { principalToken: `token ${asked}`, goodForMs };
    },
    verifier: { principal: async () => principal as Principal },
  });
  const get = async (header = headerOf('k')) =>
    authenticator.known(header, door) ?? authenticator.ask(header, door, {});
  return {
    authenticator,
    standing,
    trails,
    get,
    asked: () => asked,
    looked: () => looked,
    revoke: () => (isRevoked = true),
    setAway: (away: boolean) => (isAway = away),
    duringLook: (work: () => void) => looks.push(work),
    pass: (ms: number) => (nowMs += ms),
    /** Lets time pass with a look every half second, as in earnest. */
    async passLooking(ms: number) {
      for (let left = ms; left > 0; left -= 500) {
        nowMs += 500;
        await standing.look().catch(() => undefined);
      }
    },
  };
}

/** Until looks have seen the channel quiet for long enough, and the key was asked for after that. */
async function confirm(system: ReturnType<typeof setUp>, header?: string): Promise<void> {
  await system.get(header);
  await system.passLooking(SESSION_LIFETIME_MS);
  await system.get(header);
  await system.passLooking(QUIET_MS + SESSION_LIFETIME_MS);
  await system.get(header);
}

describe('a key in whose channel nothing changes', () => {
  test('is not asked for again until little is left of its token', async () => {
    const system = setUp();
    await confirm(system);
    const before = system.asked();
    await system.passLooking((GOOD_FOR_MS - PRINCIPAL_LEFT_MS) / 2);
    await system.get();
    expect(system.asked()).toBe(before);
    await system.passLooking((GOOD_FOR_MS - PRINCIPAL_LEFT_MS) / 2);
    await system.get();
    expect(system.asked()).toBe(before + 1);
  });

  test.each<[string, Parameters<typeof setUp>[0], string]>([
    ['whose user belongs to an account holder', { of: { accountHolderId: 'h' } as Partial<Principal> }, headerOf('k')],
    ['whose user is bound to no channel', { of: { salesChannelId: undefined } as Partial<Principal> }, headerOf('k')],
    ['that is a registry key', { of: { kind: 'registry', keyId: 'k' } as Partial<Principal> }, headerOf('k')],
    ['whose token ends soon', { goodForMs: PRINCIPAL_LEFT_MS }, headerOf('k')],
    ['that is no key but a token of the issuer', {}, 'Bearer a'],
  ])('is asked for every two seconds: one %s', async (_what, options, header) => {
    const system = setUp(options);
    await confirm(system, header);
    const before = system.asked();
    await system.passLooking(SESSION_LIFETIME_MS);
    await system.get(header);
    expect(system.asked()).toBe(before + 1);
  });
});

test('without requests nothing is looked at, and after them nothing is confirmed that was not seen since', async () => {
  const system = setUp();
  await system.passLooking(40_000);
  expect(system.looked()).toBe(0);
  await confirm(system);
  await system.passLooking(40_000);
  const before = [system.looked(), system.asked()];
  await system.passLooking(40_000);
  await system.get();
  expect([system.looked(), system.asked()]).toEqual([before[0], Number(before[1]) + 1]);
});

describe('two seconds after', () => {
  const changes: Record<string, (system: ReturnType<typeof setUp>) => void> = {
    'a key is deleted in its channel': ({ trails }) => (trails.identity.c1 += 1),
    'a role is taken in its channel': ({ trails }) => (trails.rbac.c1 += 1),
    'an operator disables a user': ({ trails }) => (trails.identity.installation += 1),
    'an operator suspends a channel': ({ trails }) => (trails.rbac.installation += 1),
    'the services cannot be asked any more': ({ setAway }) => setAway(true),
    'nobody looks any more': () => undefined,
  };
  test.each(Object.keys(changes))('%s, a key is asked for again, though no broadcast came', async (what) => {
    const system = setUp();
    await confirm(system);
    system.revoke();
    changes[what]?.(system);
    if (what === 'nobody looks any more') system.pass(CONFIRMED_MS);
    else await system.passLooking(CONFIRMED_MS);
    await expect(system.get()).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  test('a change in another channel, it is not', async () => {
    const system = setUp();
    await confirm(system);
    const before = system.asked();
    system.trails.identity.c2 += 1;
    await system.passLooking(CONFIRMED_MS);
    await system.get();
    expect(system.asked()).toBe(before);
  });

  test('a change while a look is under way, whichever side of it the look saw', async () => {
    for (const isSeen of [true, false]) {
      const system = setUp();
      await confirm(system);
      const change = (): void => {
        system.revoke();
        if (isSeen) system.trails.rbac.c1 += 1;
      };
      system.duringLook(change);
      await system.standing.look();
      if (!isSeen) system.trails.rbac.c1 += 1;
      await system.passLooking(CONFIRMED_MS);
      await expect(system.get()).rejects.toMatchObject({ code: 'unauthenticated' });
    }
  });
});

test('a broadcast takes a key out at once, also while it is confirmed', async () => {
  const system = setUp();
  await confirm(system);
  system.authenticator.forgetKey('k');
  expect(system.authenticator.known(headerOf('k'), door)).toBeUndefined();
});

test('whatever happens in whatever order, nothing revoked is known two seconds later', async () => {
  const step = oneof(
    record({ kind: constantFrom('pass' as const), ms: nat(4_000) }),
    record({
      kind: constantFrom('look' as const, 'get' as const, 'change' as const, 'away' as const, 'back' as const),
    }),
  );
  await assert(
    asyncProperty(array(step, { maxLength: 40 }), async (steps) => {
      const system = setUp();
      await confirm(system);
      for (const each of steps) {
        if (each.kind === 'pass') system.pass(each.ms);
        else if (each.kind === 'look') await system.standing.look().catch(() => undefined);
        else if (each.kind === 'get') await system.get();
        else if (each.kind === 'change') system.trails.rbac.c1 += 1;
        else system.setAway(each.kind === 'away');
      }
      // Revoked: with its record, and nobody hears of it.
      system.revoke();
      system.trails.identity.c1 += 1;
      await system.passLooking(CONFIRMED_MS);
      await expect(system.get()).rejects.toMatchObject({ code: 'unauthenticated' });
    }),
    { numRuns: 200 },
  );
});
