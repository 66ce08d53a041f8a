import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { TestUser, startService, type Respond, type Service } from './support/scs.ts';

const createEvent = (number: number, eventType = 'TRANSACTION_STATUS_CHANGE') => ({
  id: `e${number}`,
  eventType,
  createdAt: new Date(number).toISOString(),
  eventAt: new Date(number).toISOString(),
  payload: { transactionId: `t${number}`, status: 'SUCCESS' },
});

let person: TestUser;
let service: Service;
let events: ReturnType<typeof createEvent>[];
let target: Server;
let accepted: { type: string; id: string }[];
/** Next responses of the target, then 204. */
let statuses: number[];

beforeEach(async () => {
  person = new TestUser();
  [events, accepted, statuses] = [[], [], []];
  service = await startServiceOfEvents();
  target = createServer((request, response) => {
    const receive = async (): Promise<void> => {
      let body = '';
      for await (const piece of request.setEncoding('utf8')) body += piece as string;
      const status = statuses.shift() ?? 204;
      const { type } = JSON.parse(body) as { type: string };
      if (status === 204) accepted.push({ type, id: String(request.headers['webhook-id']) });
      response.writeHead(status).end();
    };
    void receive();
  });
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  person.remove();
  await service.stop();
  target.closeAllConnections();
  await new Promise((resolve) => target.close(resolve));
});

function startServiceOfEvents(): Promise<Service> {
  const list: Respond = ({ url }) => {
    const filter = JSON.parse(url.searchParams.get('$filter') ?? '{}') as { createdAt?: { gte: string } };
    const isDescending = url.searchParams.get('$orderBy')?.includes('desc') === true;
    const matching = events.filter(({ createdAt }) => createdAt >= (filter.createdAt?.gte ?? ''));
    return { body: isDescending ? matching.toReversed().slice(0, 1) : matching };
  };
  return startService({
    'GET /account-portal/me': { userId: 'u1', name: 'Anna', email: null, salesChannel: null, roles: [] },
    'GET /saleschannel-services/v1/events': list,
  });
}

const login = (url = service.url) => person.run(['login', '--base-url', url, '--api-key'], { piped: 'key1\nsecret\n' });

const words = (): string[] => {
  const { port } = target.address() as AddressInfo;
  return ['listen', '--forward-to', `http://127.0.0.1:${port}/`, '--from-start', '--poll', '0.01'];
};

/** Listens until the target has this number of events, or the command ends. */
async function listen(count: number) {
  const ending = new AbortController();
  let isOver = false;
  const listening = person.run(words(), { signal: ending.signal }).finally(() => (isOver = true));
  while (accepted.length < count && !isOver) await new Promise((resolve) => void setImmediate(resolve));
  // The last position is stored before the next page is requested.
  const before = service.requests.length;
  while (service.requests.length <= before && !isOver) await new Promise((resolve) => void setImmediate(resolve));
  ending.abort(new Error('enough'));
  return listening;
}

test('a target that returned 410 gets no further requests until the next run', async () => {
  await login();
  events = [createEvent(1), createEvent(2)];
  statuses = [204, 500, 410];
  expect(await listen(2)).toMatchObject({ code: 1, errors: expect.stringContaining('410') });
  expect(accepted.map(({ id }) => id)).toEqual(['e1']);
  await listen(2);
  expect(accepted.map(({ id }) => id)).toEqual(['e1', 'e2']);
});

test('an event of a later version keeps its type', async () => {
  await login();
  events = [createEvent(1, 'TRADER_CHANGE')];
  await listen(1);
  expect(accepted).toEqual([{ type: 'TRADER_CHANGE', id: 'e1' }]);
});

test('a position of one service is not used with another', async () => {
  await login();
  events = [createEvent(1)];
  await listen(1);
  const other = await startServiceOfEvents();
  try {
    await login(other.url);
    const outcome = await person.run(words(), { signal: AbortSignal.abort(new Error('enough')) });
    expect(outcome).toMatchObject({ code: 2, errors: expect.stringContaining('--profile') });
    await login();
    events.push(createEvent(2));
    await listen(2);
    expect(accepted.map(({ id }) => id)).toEqual(['e1', 'e2']);
  } finally {
    await other.stop();
  }
});
