import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { query, sql } from '@saleschannel/database';
import { newId } from '@saleschannel/primitives';
import { catchFailure } from '@saleschannel/testing';
import { INSTALLATION_SCOPE, recordAudit, REGISTRY_SCOPE } from '../src/index.ts';
import { listAuditEvents } from '../src/list.ts';
import { act, readChain, findFault, startTrail, type Trail } from './support/trail.ts';

let trail: Trail;
beforeAll(async () => {
  trail = await startTrail();
});
afterAll(() => trail.stop());

const record = (...acts: ReturnType<typeof act>[]): Promise<void> =>
  trail.database.transaction((em) => recordAudit(em, acts));

test('acts form one chain per scope, in order', async () => {
  const [one, other] = [newId(), newId()];
  await record(act(one, 'a'), act(other, 'b'), act(one, 'c'));
  await record(act(one, 'd'));
  const chain = await readChain(trail, one);
  expect(chain.map(({ event }) => (JSON.parse(event) as { subject: { id: string } }).subject.id)).toEqual([
    'a',
    'c',
    'd',
  ]);
  expect([findFault(chain), findFault(await readChain(trail, other))]).toEqual([undefined, undefined]);
});

test('an act of a rolled back transaction is not recorded', async () => {
  const scope = newId();
  await expect(
    trail.database.transaction(async (em) => {
      await recordAudit(em, [act(scope, 'a')]);
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');
  await record(act(scope, 'b'));
  const chain = await readChain(trail, scope);
  expect([chain.length, findFault(chain)]).toEqual([1, undefined]);
});

test('concurrent transactions keep chains intact, without deadlocks', async () => {
  const scopes = [newId(), newId(), newId()];
  const selectScopes = (round: number) =>
    scopes.toSpliced(round % 3, round % 2).toSorted(() => (round % 4 < 2 ? 1 : -1));
  await Promise.all(
    Array.from({ length: 60 }, (_each, round) => record(...selectScopes(round).map((scope) => act(scope, `${round}`)))),
  );
  for (const scope of scopes) expect(findFault(await readChain(trail, scope))).toBeUndefined();
});

test('events cannot be changed, removed, or inserted with a wrong hash', async () => {
  const scope = newId();
  await record(act(scope, 'a'), act(scope, 'b'));
  const em = trail.database.em();
  for (const statement of [
    sql`update audit_event set event = '{}' where scope = ${scope}`,
    sql`delete from audit_event where scope = ${scope} and sequence = 2`,
    sql`truncate audit_event`,
    sql`insert into audit_event (scope, sequence, occurred_at, event, hash)
        values (${scope}, 3, now(), '{}', ${Buffer.alloc(32)})`,
  ]) {
    expect(await catchFailure(query(em, statement))).toMatchObject({ code: expect.stringMatching(/^23/) });
  }
});

test('readers of another organization learn of an act, but not who acted from where', async () => {
  const [own, other] = [newId(), newId()];
  const actor = {
    kind: 'user',
    id: 'u1',
    keyId: 'k1',
    salesChannelId: own,
    address: '192.0.2.1',
    requestId: 'r1',
  } as const;
  await record(act(own, 'a', { scopes: [own, other, REGISTRY_SCOPE, INSTALLATION_SCOPE], actor }));
  const readLast = async (scope: string) => {
    const [link] = (await readChain(trail, scope)).slice(-1);
    const { actor: shown, address, requestId } = JSON.parse(link?.event ?? '{}') as Record<string, unknown>;
    return { shown, address, requestId };
  };
  const everything = {
    shown: { kind: 'user', id: 'u1', keyId: 'k1', salesChannelId: own },
    address: '192.0.2.1',
    requestId: 'r1',
  };
  const reduced = { shown: { kind: 'user', salesChannelId: own }, address: null, requestId: null };
  expect([await readLast(own), await readLast(INSTALLATION_SCOPE)]).toEqual([everything, everything]);
  expect([await readLast(other), await readLast(REGISTRY_SCOPE)]).toEqual([reduced, reduced]);
});

test('only the trail of the installation names an operator, once per act', async () => {
  const [channel, subject] = [newId(), newId()];
  const actor = { kind: 'operator', id: 'olga', address: '192.0.2.1', requestId: 'r1' } as const;
  const about = { actor, subject: { type: 'user', id: subject } };
  const readActors = async (scope: string) =>
    (await readChain(trail, scope))
      .map(({ event }) => JSON.parse(event) as { subject: { id: string }; actor: object; address: string | null })
      .filter((event) => event.subject.id === subject)
      .map((event) => [event.actor, event.address]);
  await record(act(channel, subject, about));
  expect(await readActors(channel)).toEqual([[{ kind: 'operator' }, null]]);
  expect(await readActors(INSTALLATION_SCOPE)).toEqual([[{ kind: 'operator', id: 'olga' }, '192.0.2.1']]);
  await record(act(channel, subject, about), act(INSTALLATION_SCOPE, subject, about));
  expect((await readActors(INSTALLATION_SCOPE)).length).toBe(2);
  const { id: _name, ...unnamed } = actor;
  await record(act(channel, subject, { ...about, actor: unnamed }));
  expect([(await readActors(channel)).length, (await readActors(INSTALLATION_SCOPE)).length]).toEqual([3, 2]);
});

test('a part of a chain is found by sequence and time, with its total', async () => {
  const scope = newId();
  for (const id of ['a', 'b', 'c', 'd', 'e']) await record(act(scope, id));
  const em = trail.database.em();
  const all = await listAuditEvents(em, scope, { afterSequence: '0', limit: 10 });
  expect([all.total, all.events.map(({ sequence }) => sequence)]).toEqual(['5', ['1', '2', '3', '4', '5']]);
  const page = await listAuditEvents(em, scope, { afterSequence: '2', limit: 2 });
  expect([page.total, page.events.map(({ sequence }) => sequence)]).toEqual(['5', ['3', '4']]);
  for (const { occurredAt: time } of all.events) {
    const atOrAfter = all.events.filter((each) => each.occurredAt >= time);
    const since = await listAuditEvents(em, scope, { afterSequence: '0', limit: 10, from: time });
    const until = await listAuditEvents(em, scope, { afterSequence: '0', limit: 10, to: time });
    expect(since).toEqual({ total: String(atOrAfter.length), events: atOrAfter });
    expect(until.total).toBe(String(5 - atOrAfter.length));
  }
  const [early, late] = ['2000-01-01T00:00:00.000Z', '2100-01-01T00:00:00.000Z'];
  expect((await listAuditEvents(em, scope, { afterSequence: '0', limit: 10, from: late })).total).toBe('0');
  expect((await listAuditEvents(em, scope, { afterSequence: '0', limit: 10, from: late, to: early })).total).toBe('0');
  expect(await listAuditEvents(em, newId(), { afterSequence: '0', limit: 10, from: early })).toEqual({
    total: '0',
    events: [],
  });
});

test('a chain is read backwards, by action and by actor, in any combination', async () => {
  const scope = newId();
  const by = (id: string) => ({ kind: 'user', id, accountHolderId: 'h1', salesChannelId: scope }) as const;
  const tricky = { reason: 'ends with "\\u0000 }] "action":"rbac.user.bound"' };
  await record(act(scope, 'a', { actor: by('u1') }), act(scope, 'b', { actor: by('u2'), after: tricky }));
  await record(act(scope, 'c', { actor: by('u1'), action: 'rbac.user.bound' }), act(scope, 'd'));
  await record(act(scope, 'e', { actor: { kind: 'service', id: 'webhooks' } }));
  const read = async (filter: Omit<Parameters<typeof listAuditEvents>[2], 'afterSequence' | 'limit'>) => {
    const { events, total } = await listAuditEvents(trail.database.em(), scope, {
      afterSequence: '0',
      limit: 2,
      ...filter,
    });
    return [total, ...events.map(({ sequence }) => sequence)];
  };
  expect(await read({ descending: true })).toEqual(['5', '5', '4']);
  expect(await read({ descending: true, beforeSequence: '2' })).toEqual(['5', '1']);
  expect(await read({ descending: true, beforeSequence: '1' })).toEqual(['5']);
  expect(await read({ action: 'rbac.role.granted' })).toEqual(['4', '1', '2']);
  expect(await read({ action: 'rbac.role.granted', descending: true })).toEqual(['4', '5', '4']);
  expect(await read({ actorId: 'u1', descending: true })).toEqual(['2', '3', '1']);
  expect(await read({ actorId: 'webhooks' })).toEqual(['1', '5']);
  expect(await read({ actorId: 'u1', action: 'rbac.user.bound' })).toEqual(['1', '3']);
  expect(await read({ actorId: 'u2', action: 'rbac.user.bound' })).toEqual(['0']);
  expect(await read({ actorId: 'h1' })).toEqual(['0']);
});

test('a filtered total counts at most 10,000 events', async () => {
  const scope = newId();
  const em = trail.database.em();
  for (let part = 0; part < 3; part += 1) {
    await record(...Array.from({ length: 4_000 }, (_, index) => act(scope, `${part}-${index}`)));
  }
  const range = { afterSequence: '0', limit: 1 };
  expect((await listAuditEvents(em, scope, { ...range, action: 'rbac.role.granted' })).total).toBe('10000');
  expect((await listAuditEvents(em, scope, range)).total).toBe('12000');
});
