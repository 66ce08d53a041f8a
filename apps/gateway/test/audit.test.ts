import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectProblem } from './support/http.ts';
import { auditEvent } from './support/samples.ts';
import { startSystem, type System } from './support/system.ts';

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

interface Page {
  pagination: { total: number; next: string };
  data: { sequence: number; hash: string }[];
}

const at = (sequence: number) => ({
  ...auditEvent,
  sequence,
  event: auditEvent.event.replace('":1,', `":${sequence},`),
});

test('a cursor continues where each service was read to, and never goes back', async () => {
  const requests: unknown[] = [];
  system.rpcs.audit['ListChannelAuditEvents'] = (request) => {
    const { afterSequence, limit } = request['range'] as { afterSequence: string; limit: number };
    requests.push([afterSequence, limit]);
    const all = [at(1), at(2), at(3)].filter(({ sequence }) => sequence > Number(afterSequence));
    return { total: 3, events: all.slice(0, limit) };
  };
  const first = await system.call('listAuditEvents', { query: 'limit=2' });
  const { pagination, data } = JSON.parse(first.text) as Page;
  expect([pagination.total, data.map(({ sequence }) => sequence)]).toEqual([3, [1, 2]]);
  expect(data[0]?.hash).toBe(auditEvent.hash.toString('hex'));
  const link = /^<(.+)>; rel="next"$/.exec(String(first.headers['link']))?.[1] ?? '';
  const second = await system.call('listAuditEvents', { query: link.split('?')[1] ?? '' });
  const rest = JSON.parse(second.text) as Page;
  expect([rest.data.map(({ sequence }) => sequence), second.headers['link']]).toEqual([[3], undefined]);
  const last = await system.call('listAuditEvents', { query: `limit=2&after=${rest.pagination.next}` });
  const nothing = JSON.parse(last.text) as Page;
  expect(nothing).toEqual({ pagination: { ...rest.pagination, limit: 2, total: 3 }, data: [] });
  expect(requests).toEqual([
    ['0', 2],
    ['2', 2],
    ['3', 2],
  ]);
});

test('an export has a line per event, and a link to the next page', async () => {
  const answer = await system.call('exportRegistryAuditEvents');
  expect(answer.headers['content-type']).toBe('application/x-ndjson');
  expect(
    answer.text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual([expect.objectContaining({ sequence: 1, hash: auditEvent.hash.toString('hex') })]);
  expect(answer.headers['link']).toMatch(
    /^<\/Registry\/api\/audit-events\/export\?limit=5000&after=[\w-]+>; rel="next"$/,
  );
});

test.each(['%00', 'e30', 'bm90IGpzb24', Buffer.from('{"rbac":"x"}').toString('base64url')])(
  'rejects a foreign cursor: %s',
  async (after) => {
    const problem = expectProblem(
      await system.call('listAuditEvents', { query: `after=${after}` }),
      400,
      'invalid-request',
    );
    expect(problem.errors).toContainEqual(expect.objectContaining({ parameter: 'after' }));
  },
);

const oneService = (request: Readonly<Record<string, unknown>>) => request['range'] as Record<string, unknown>;

test('passes order and filters to every service, and repeats them in the link', async () => {
  const requests: unknown[] = [];
  system.rpcs.audit['ListChannelAuditEvents'] = (request) => {
    const { beforeSequence, descending, action, actorId } = oneService(request);
    requests.push({ beforeSequence, descending, action, actorId });
    const before = beforeSequence === '0' ? 4 : Number(beforeSequence);
    const events = [at(3), at(2), at(1)].filter(({ sequence }) => sequence < before);
    return { total: 3, events: events.slice(0, 2), isFilteredAsRequested: true };
  };
  const query = 'order=desc&limit=2&action=rbac.role.granted&actor=u1';
  const first = await system.call('listAuditEvents', { query });
  expect((JSON.parse(first.text) as Page).data.map(({ sequence }) => sequence)).toEqual([3, 2]);
  const link = /^<(.+)>; rel="next"$/.exec(String(first.headers['link']))?.[1] ?? '';
  expect(link).toContain('&order=desc&action=rbac.role.granted&actor=u1');
  const second = await system.call('listAuditEvents', { query: link.split('?')[1] ?? '' });
  expect((JSON.parse(second.text) as Page).data.map(({ sequence }) => sequence)).toEqual([1]);
  const expected = { descending: true, action: 'rbac.role.granted', actorId: 'u1' };
  expect(requests).toEqual([
    { beforeSequence: '0', ...expected },
    { beforeSequence: '2', ...expected },
  ]);
});

test.each(['listAuditEvents', 'exportAuditEvents'] as const)(
  '%s: rejects a cursor of the other order',
  async (operation) => {
    system.rpcs.audit['ListChannelAuditEvents'] = () => ({ total: 1, events: [at(1)], isFilteredAsRequested: true });
    const next = async (query: string) => {
      const answer = await system.call('listAuditEvents', { query });
      return (JSON.parse(answer.text) as Page).pagination.next;
    };
    const [ascending, descending] = [await next('limit=1'), await next('limit=1&order=desc')];
    for (const query of [`after=${descending}`, `order=desc&after=${ascending}`]) {
      const problem = expectProblem(await system.call(operation, { query }), 400, 'invalid-request');
      expect(problem.errors).toContainEqual(expect.objectContaining({ parameter: 'after' }));
    }
  },
);

test.each([
  ['order=newest', 'order'],
  ['action=granted', 'action'],
  ['action=RBAC.role.granted', 'action'],
  ['actor=', 'actor'],
])('rejects %s', async (query, parameter) => {
  const problem = expectProblem(await system.call('listAuditEvents', { query }), 400, 'invalid-request');
  expect(problem.errors).toContainEqual(expect.objectContaining({ parameter }));
});

test.each(['order=desc', 'action=rbac.role.granted', 'actor=u1'])(
  'answers 503 while a replica of the previous release ignores %s',
  async (query) => {
    system.rpcs.audit['ListChannelAuditEvents'] = () => ({ total: 1, events: [at(1)] });
    expectProblem(await system.call('listAuditEvents', { query }), 503, 'unavailable');
    expect((await system.call('listAuditEvents')).status).toBe(200);
  },
);
