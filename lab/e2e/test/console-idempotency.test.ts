import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  consoleOperations,
  startConsole,
  suspendLongAgo,
  type Console,
  type ConsoleBrowser,
} from './support/console.ts';
import { useOwnSystem } from './support/system.ts';

const system = useOwnSystem({ tls: true });
let console: Console;
let olga: ConsoleBrowser;
beforeAll(async () => {
  console = await startConsole(system());
  olga = await console.as('olga');
}, 60_000);
afterAll(() => console?.stop());

interface Sent {
  readonly path: string;
  readonly body?: unknown;
  readonly file?: [type: string, content: string];
}

const address = { postalCode: '00100', city: 'Helsinki', country: 'FI', street1: 'Katu 1' };
const holder = () => ({ name: 'Biochar Oy', businessId: randomUUID(), address });
const line = () => JSON.stringify({ type: 'account-holder', ...holder() });
const made = async (path: string, body: object): Promise<string> => {
  const { id, accountHolderId } = await olga.ok<{ id?: string; accountHolderId?: string }>('POST', path, { body });
  return String(id ?? accountHolderId);
};
const channel = () => made('/sales-channels', { name: `Nordic ${randomUUID()}` });
const user = () => made('/users', { issuer: 'https://idp.example', subject: randomUUID() });

/** A request to each of two things. */
const onTwo = async (make: () => Promise<string>, pathOf: (id: string) => string, body?: unknown): Promise<Sent[]> =>
  [await make(), await make()].map((id) => ({ path: pathOf(id), ...(body !== undefined && { body }) }));

const twice = (path: string, bodyOf: (number: number) => unknown): Promise<Sent[]> =>
  Promise.resolve([0, 1].map((number) => ({ path, body: bodyOf(number) })));

/** Of each POST of the contract a request, and another one. */
const requests: Readonly<Record<string, () => Promise<Sent[]>>> = {
  '/sales-channels': () => twice('/sales-channels', () => ({ name: `Channel ${randomUUID()}` })),
  '/sales-channels/{salesChannelId}/rename': async () => {
    const path = `/sales-channels/${await channel()}/rename`;
    return twice(path, () => ({ name: `Arctic ${randomUUID()}`, reason: 'new brand' }));
  },
  '/sales-channels/{salesChannelId}/suspend': () =>
    onTwo(channel, (id) => `/sales-channels/${id}/suspend`, { reason: 'late' }),
  '/sales-channels/{salesChannelId}/resume': () => onTwo(channel, (id) => `/sales-channels/${id}/resume`),
  '/sales-channels/{salesChannelId}/close': () =>
    onTwo(
      async () => {
        const id = await channel();
        await suspendLongAgo(system(), olga, id);
        return id;
      },
      (id) => `/sales-channels/${id}/close`,
      { reason: 'contract ended' },
    ),
  '/account-holders': () => twice('/account-holders', holder),
  '/account-holders/{accountHolderId}/suspend': () =>
    onTwo(
      () => made('/account-holders', holder()),
      (id) => `/account-holders/${id}/suspend`,
      { reason: 'late' },
    ),
  '/account-holders/{accountHolderId}/resume': () =>
    onTwo(
      () => made('/account-holders', holder()),
      (id) => `/account-holders/${id}/resume`,
    ),
  '/users': () => twice('/users', () => ({ issuer: 'https://idp.example', subject: randomUUID() })),
  '/users/{userId}/disable': () => onTwo(user, (id) => `/users/${id}/disable`, { reason: 'left' }),
  '/users/{userId}/enable': () => onTwo(user, (id) => `/users/${id}/enable`),
  '/users/{userId}/end-sessions': () => onTwo(user, (id) => `/users/${id}/end-sessions`, { reason: 'lost laptop' }),
  '/users/{userId}/roles': async () => {
    const salesChannelId = await channel();
    return onTwo(user, (id) => `/users/${id}/roles`, { salesChannelId, roles: ['EVENT_VIEWER'] });
  },
  '/imports': async () => [0, 1].map(() => ({ path: '/imports', file: ['application/x-ndjson', line()] })),
  '/dead-letters/{queue}/replay': () =>
    twice('/dead-letters/tasks.outcomes/replay', (number) => ({ limit: number + 1 })),
};

const posts = consoleOperations.filter((each) => each.startsWith('POST ')).map((each) => each.replace('POST ', ''));

// Runs them at the same time: some wait for seconds, and none minds the others.
test.concurrent.each(posts)('POST %s answers once per key', async (path) => {
  const prepare = requests[path];
  if (!prepare) throw new Error(`POST ${path} has no request here`);
  const [one, other] = await prepare();
  if (!one || !other) throw new Error('two requests are needed');
  const key = randomUUID();
  const send = ({ path: at, ...sent }: Sent, idempotencyKey: string = key) =>
    olga.send<unknown>('POST', at, { ...sent, headers: { 'Idempotency-Key': idempotencyKey } });
  expect(await send(one, 'two words')).toMatchObject({
    status: 400,
    body: { errors: [{ parameter: 'Idempotency-Key' }] },
  });
  const answers = await Promise.all(Array.from({ length: 3 }, () => send(one)));
  answers.push(await send(one));
  const [first] = answers;
  expect(first?.status).toBeLessThan(300);
  for (const { status, body } of answers)
    expect({ status, body }).toEqual({ status: first?.status, body: first?.body });
  const replays = answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true');
  expect(replays).toHaveLength(answers.length - 1);
  expect(await send(other)).toMatchObject({ status: 400, body: { type: '/problems/idempotency-key-reused' } });
  expect((await send(other, randomUUID())).headers).not.toHaveProperty('idempotency-replayed');
});
