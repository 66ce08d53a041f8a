import { expect, test } from '@jest/globals';
import { array, assert, asyncProperty, integer } from 'fast-check';
import { auditCursor, auditedServices, readAuditPage, type AuditOrder, type AuditPageRequest } from '../src/index.ts';

interface Link {
  readonly sequence: string;
  readonly occurredAt: string;
  readonly event: string;
  readonly hash: Buffer;
}
type Chains = Record<string, Link[]>;

const toLink = (name: string, index: number, second: number): Link => ({
  sequence: String(index + 1),
  occurredAt: new Date(second * 1_000).toISOString(),
  event: JSON.stringify({ name, sequence: index + 1 }),
  hash: Buffer.alloc(32),
});

/** Creates a service that fulfils its contract. Times never decrease within a chain, and are often equal. */
const createService = (chains: Chains) => (name: string, range: Parameters<Parameters<typeof readAuditPage>[1]>[1]) => {
  const { afterSequence, beforeSequence = '0', descending = false, limit } = range;
  const before = beforeSequence === '0' ? Infinity : Number(beforeSequence);
  const chain = chains[name] ?? [];
  const matching = chain.filter(
    ({ sequence }) => Number(sequence) > Number(afterSequence) && Number(sequence) < before,
  );
  const events = (descending ? matching.toReversed() : matching).slice(0, limit);
  return Promise.resolve({ events, total: String(chain.length), isFilteredAsRequested: true });
};

async function walk(chains: Chains, order: AuditOrder, limit: number, between?: () => void): Promise<string[]> {
  const seen: string[] = [];
  let after: AuditPageRequest['after'];
  for (;;) {
    const { events, next, isFull } = await readAuditPage(auditedServices, createService(chains), {
      order,
      limit,
      ...(after && { after }),
    });
    seen.push(...events);
    if (!isFull) return seen;
    after = auditCursor.parse(next);
    between?.();
  }
}

const chain = array(integer({ min: 0, max: 4 }), { maxLength: 8 }).map((seconds) => seconds.toSorted((a, b) => a - b));
const seconds = array(chain, { minLength: auditedServices.length, maxLength: auditedServices.length });
const toChains = (each: readonly number[][]): Chains =>
  Object.fromEntries(
    auditedServices.map((name, index) => [
      name,
      (each[index] ?? []).map((second, position) => toLink(name, position, second)),
    ]),
  );

test('descending order is the exact reverse of ascending order, in pages of any size', async () => {
  await assert(
    asyncProperty(seconds, integer({ min: 1, max: 9 }), async (each, limit) => {
      const chains = toChains(each);
      const ascending = await walk(chains, 'asc', limit);
      expect(new Set(ascending).size).toBe(each.flat().length);
      expect(ascending).toHaveLength(each.flat().length);
      expect(await walk(chains, 'desc', limit)).toEqual(ascending.toReversed());
    }),
  );
});

test('a descending list does not contain events added meanwhile', async () => {
  await assert(
    asyncProperty(seconds, integer({ min: 1, max: 9 }), async (each, limit) => {
      const expected = (await walk(toChains(each), 'asc', limit)).toReversed();
      const chains = toChains(each);
      const append = () => {
        for (const name of auditedServices) chains[name]?.push(toLink(name, chains[name].length, 9));
      };
      expect(await walk(chains, 'desc', limit, append)).toEqual(expected);
    }),
  );
});

test('an ascending list contains events added meanwhile once', async () => {
  await assert(
    asyncProperty(seconds, integer({ min: 1, max: 9 }), async (each, limit) => {
      const chains = toChains(each);
      let rounds = 0;
      const append = () => {
        rounds += 1;
        if (rounds > 3) return;
        for (const name of auditedServices) chains[name]?.push(toLink(name, chains[name].length, 9));
      };
      const seen = await walk(chains, 'asc', limit, append);
      expect(seen).toHaveLength(Object.values(chains).flat().length);
      expect(new Set(seen).size).toBe(seen.length);
    }),
  );
});

test.each([{ order: 'desc' }, { order: 'asc', action: 'rbac.role.granted' }, { order: 'asc', actor: 'u1' }] as const)(
  'the answer of a replica that ignores the filter is rejected: %j',
  async (matching) => {
    const old = () => Promise.resolve({ events: [], total: '0', isFilteredAsRequested: false });
    await expect(readAuditPage(['rbac'], old, { ...matching, limit: 1 })).rejects.toMatchObject({
      code: 'unavailable',
    });
    await expect(readAuditPage(['rbac'], old, { order: 'asc', limit: 1 })).resolves.toMatchObject({ events: [] });
  },
);
