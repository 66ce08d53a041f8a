import { setTimeout as delay } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import type { Demo, DemoChannel } from './demo-file.ts';
import { SAMPLE_CERTIFICATES } from './sample-data.ts';
import { fetchToken, httpClient, type HttpClient } from './http.ts';

const POLL_MS = 20;
const WAIT_AT_MOST_MS = 20_000;

interface Asset {
  start: string;
  volume: number;
  certificates: string;
}
interface Task {
  taskId: string;
  status: string;
  message: string;
  responsePayload: { id?: string };
}
interface LogEvent {
  id: string;
  createdAt: string;
  payload: { transactionId: string; status: string };
}

async function until<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  const end = Date.now() + WAIT_AT_MOST_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > end) throw new Error(`${what} did not arrive within ${WAIT_AT_MOST_MS / 1000} s.`);
    await delay(POLL_MS);
  }
}

/** Prints each step with its duration. */
async function step<T>(
  print: (line: string) => void,
  name: string,
  work: () => Promise<{ summary: string; value: T }>,
): Promise<T> {
  const started = performance.now();
  const { summary, value } = await work();
  print(`  ${name.padEnd(12)} ${`${(performance.now() - started).toFixed(0)} ms`.padStart(7)}   ${summary}`);
  return value;
}

/** Runs the main job through the public API: token → API key → inventory → trade → task → transaction → event. */
export async function runMainJob(demo: Demo, print: (line: string) => void): Promise<void> {
  const [channel] = demo.channels;
  const [user] = channel.users;
  const token = await step(print, 'token', async () => {
    const value = await fetchToken(demo.tokenEndpoint, user.clientId, user.clientSecret);
    return { value, summary: `access token of ${user.clientId}` };
  });
  const person = httpClient(demo.baseUrl, { bearer: token });
  const key = await step(print, 'API key', async () => {
    const value = await person.ok<{ id: string; passphrase: string; expiresAt: string }>(
      'POST',
      '/authentication/users/me/api-keys',
    );
    return { value, summary: `${value.id}, expires ${value.expiresAt}` };
  });
  try {
    await trade(httpClient(demo.baseUrl, { username: key.id, password: key.passphrase }), channel, print);
  } finally {
    await person.ok('DELETE', `/authentication/api-keys/${key.id}`);
  }
}

async function trade(machine: HttpClient, channel: DemoChannel, print: (line: string) => void): Promise<void> {
  const { seller, asset } = await step(print, 'inventory', async () => {
    for (const candidate of channel.traders) {
      const assets = await machine.ok<Asset[]>('GET', `/saleschannel-services/v1/traders/${candidate.id}/inventory`);
      // Trades certificates of the sample data only, not those that a user imported.
      const asset = assets.find(({ certificates }) => certificates.startsWith(SAMPLE_CERTIFICATES));
      if (asset)
        return { value: { seller: candidate, asset }, summary: `${candidate.name} owns ${asset.certificates}` };
    }
    throw new Error('No trader of the channel owns sample certificates any more. Run `npm run reset` to start over.');
  });
  const buyer = channel.traders.find((trader) => trader.id !== seller.id);
  if (!buyer) throw new Error('The channel has no second trader.');
  const path = `/saleschannel-services/v1/traders/${seller.id}/inventory/trade`;
  const started = await step(print, 'trade', async () => {
    const body = {
      buyerId: buyer.id,
      currency: 'EUR',
      assets: [{ start: asset.start, end: asset.start, unitPrice: 149.5 }],
    };
    const value = await machine.ok<Task>('POST', path, body, { 'idempotency-key': randomUUID() });
    return { value, summary: `1 certificate to ${buyer.name} for EUR 149.50: task ${value.taskId} ${value.status}` };
  });
  const transactionId = await step(print, 'task', async () => {
    const task = await until('The end of the task', async () => {
      const current = await machine.ok<Task>('GET', `${path}/${started.taskId}`);
      return current.status === 'PENDING' ? undefined : current;
    });
    if (!task.responsePayload.id) throw new Error(`The task ended with ${task.status}: ${task.message}`);
    return { value: task.responsePayload.id, summary: `${task.status}: ${task.message}` };
  });
  await step(print, 'transaction', async () => {
    const value = await machine.ok<{ id: string; status: string; type: string }>(
      'GET',
      `/saleschannel-services/v1/transactions/${transactionId}`,
    );
    return { value, summary: `${value.type} ${value.id} ${value.status}` };
  });
  await step(print, 'event', async () => {
    const newest = new URLSearchParams({ $orderBy: '{"createdAt":"desc"}', $limit: '100' });
    const value = await until('The event', async () => {
      const events = await machine.ok<LogEvent[]>('GET', `/saleschannel-services/v1/events?${newest}`);
      return events.find((event) => event.payload.transactionId === transactionId);
    });
    return { value, summary: `${value.payload.status} at ${value.createdAt}` };
  });
}
