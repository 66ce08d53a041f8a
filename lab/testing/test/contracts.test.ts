import { expect, test } from '@jest/globals';
import {
  among,
  startsWith,
  bytes,
  count,
  toExample,
  comparePattern,
  inAnyOrder,
  instant,
  interaction,
  jsonOf,
  oneOf,
  pieces,
  matching,
  text,
  tokenLike,
  whole,
  type Contract,
} from '../src/contracts/index.ts';
import { asRegistry, catchFailure, startFakeProviders } from '../src/index.ts';

const pattern = {
  id: text('t1'),
  at: instant('2025-01-01T00:00:00.000Z'),
  serial: whole('7'),
  status: oneOf('ACTIVE', 'SUSPENDED'),
  name: 'Nordic',
  removed: undefined,
  parties: inAnyOrder({ id: 'a' }, { id: 'b' }),
  data: jsonOf([{ volume: count(5) }]),
};
const answer = {
  id: 'x',
  at: '2026-02-03T04:05:06.789Z',
  serial: '123456789012345678901234567890',
  status: 'SUSPENDED',
  name: 'Nordic',
  parties: [{ id: 'b', more: 1 }, { id: 'a' }],
  data: Buffer.from('[{"volume":9,"more":null}]'),
  more: 'not in the contract',
};

test('a pattern accepts its example and answers with more members', () => {
  expect(comparePattern(pattern, toExample(pattern))).toEqual([]);
  expect(comparePattern(pattern, answer)).toEqual([]);
});

test.each([
  ['a text that is empty', { id: '' }, 'the answer.id is "" and not a text'],
  ['a field that is not there', { id: undefined }, 'the answer.id is undefined and not a text'],
  ['a time without milliseconds', { at: '2026-02-03T04:05:06Z' }, /the answer\.at .* not a time/],
  ['a number for a text', { serial: 7 }, 'the answer.serial is 7 and not a whole number'],
  ['an unknown status', { status: 'GONE' }, 'the answer.status is "GONE" and not one of ACTIVE, SUSPENDED'],
  ['another value', { name: 'Baltic' }, 'the answer.name is "Baltic" and not "Nordic"'],
  ['a field that must be absent', { removed: 1 }, 'the answer.removed is 1 and not undefined'],
  ['a duplicate element', { parties: [{ id: 'a' }, { id: 'a' }] }, 'the answer.parties has no {"id":"b"}'],
  ['an extra element', { parties: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] }, /has 3 elements and not 2/],
  ['another document', { data: Buffer.from('[{"volume":"9"}]') }, 'the answer.data[0].volume is "9" and not a number'],
])('a pattern rejects %s', (_what, change, fault) => {
  const faults = comparePattern(pattern, { ...answer, ...change });
  expect(faults).toEqual([typeof fault === 'string' ? fault : expect.stringMatching(fault)]);
});

const chunk = (data: string) => ({ data: Buffer.from(data) });
const even = matching(2, (value) => (Number(value) % 2 === 0 ? [] : ['odd']));
const claims = (roles: string[], aud: string[]) =>
  `x.${Buffer.from(JSON.stringify({ principal: { roles }, aud })).toString('base64url')}.x`;

test.each<[string, unknown, unknown, string[]]>([
  ['some of a list', among({ id: 'a' }), [{ id: 'b' }, { id: 'a' }], []],
  ['some of a list that lacks one', among({ id: 'a' }), [{ id: 'b' }], ['the answer has no {"id":"a"}']],
  ['some of no list', among({ id: 'a' }), undefined, ['the answer is no list']],
  ['a document in pieces', pieces(jsonOf({ id: 'a' })), [chunk('{"i'), chunk('d":"a"}')], []],
  [
    'another document in pieces',
    pieces(jsonOf({ id: 'a' }), { next: undefined }),
    [{ ...chunk('{"id":"b"}'), next: 'n' }],
    ['the answer[0].next is "n" and not undefined', 'the answer.data.id is "b" and not "a"'],
  ],
  ['a beginning', startsWith({ id: 'a' }), [{ id: 'a' }], []],
  ['another beginning', startsWith({ id: 'a' }), [{ id: 'b' }], ['the answer[0].id is "b" and not "a"']],
  ['bytes', bytes('a'), Buffer.from('b'), []],
  ['no bytes', bytes('a'), Buffer.alloc(0), ['the answer: no bytes']],
  ['a value that another rule accepts', { count: even }, { count: 4 }, []],
  ['a value that another rule rejects', { count: even }, { count: 3 }, ['the answer.count: odd']],
  ['a token', tokenLike(claims(['A'], []), ['tasks']), claims(['A'], ['tasks', 'events']), []],
  [
    'a token for others',
    tokenLike(claims(['A'], []), ['tasks']),
    claims(['A'], ['events']),
    ['the answer: not for tasks'],
  ],
  [
    'a token of another principal',
    tokenLike(claims(['A'], []), []),
    claims(['B'], []),
    ['the answer: a token of {"roles":["B"]} and not of {"roles":["A"]}'],
  ],
])('%s', (_what, form, value, faults) => {
  expect(comparePattern(form, value)).toEqual(faults);
});

const key = (salesChannelId: string, traderId: string) => ({ salesChannelId, traderId });
const contract: Contract = {
  consumer: 'tasks',
  provider: 'traders',
  interactions: [
    interaction('traderDirectory.GetParties', {
      given: 'a trader',
      values: { channel: 'c1', trader: 't1' },
      request: ({ channel, trader }) => ({ keys: [{ salesChannelId: channel, traderId: text(trader) }] }),
      answer: ({ trader }) => ({ parties: [{ traderId: trader }] }),
    }),
  ],
};

test('a fake provider answers with exactly what the contract says', async () => {
  const providers = await startFakeProviders(contract);
  const client = await providers.client('traderDirectory');
  const { parties } = await client.GetParties({ keys: [key('c1', 'any')] });
  expect(parties).toMatchObject([{ traderId: 't1', salesChannelId: '' }]);
  await providers.stop();
});

test('a call without a contract fails at once and at the end', async () => {
  const providers = await startFakeProviders(contract);
  const client = await providers.client('traderDirectory');
  await client.GetParties({ keys: [key('c1', 't1')] });
  for (const keys of [[key('c2', 't1')], [key('c1', 't1'), key('c1', 't1')], []])
    expect(await catchFailure(client.GetParties({ keys }))).toMatchObject({ code: 'internal' });
  expect(await catchFailure(client.DescribeParties({ keys: [] }))).toMatchObject({ code: 'internal' });
  const { message } = await catchFailure(providers.stop());
  expect(message.split('\n')).toHaveLength(4);
  expect(message).toContain('No contract has traderDirectory.DescribeParties');
});

test('an unused interaction fails at the end', async () => {
  const providers = await startFakeProviders(contract);
  expect(await catchFailure(providers.stop())).toMatchObject({
    message: 'No test calls traderDirectory.GetParties given a trader.',
  });
});

test('two indistinguishable interactions are rejected', async () => {
  const [one] = contract.interactions;
  const twice = { ...contract, interactions: [one, one].filter((each) => each !== undefined) };
  expect(await catchFailure(startFakeProviders(twice))).toMatchObject({
    message: 'These interactions need different values: a trader, a trader',
  });
});

test('a stream of the consumer is matched as one request', async () => {
  const importing: Contract = {
    consumer: 'gateway',
    provider: 'registry-import',
    interactions: [
      interaction('registryImport.StartImport', {
        given: 'an account holder',
        values: {},
        as: () => ({ kind: 'registry', accountHolderId: 'h1' }),
        request: () => [{ header: { contentType: 'text/csv' } }, { end: { bytes: '0' } }],
        answer: () => ({ importId: text('m1') }),
      }),
    ],
  };
  const providers = await startFakeProviders(importing);
  const client = await providers.client('registryImport');
  const send = async (...parts: object[]) =>
    client.StartImport(
      (async function* () {
        yield* parts;
      })(),
      await asRegistry(),
    );
  const header = { header: { contentType: 'text/csv' } };
  expect(await send(header, { end: { bytes: 0 } })).toMatchObject({ importId: 'm1' });
  expect(await catchFailure(send(header))).toMatchObject({ code: 'internal' });
  expect((await catchFailure(providers.stop())).message).toContain('No contract has registryImport.StartImport');
});
