import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { SalesChannel, verifyWebhook, type WebhookMessage } from '@saleschannel/sdk';
import { eventually, manyOrFew } from '@saleschannel/testing';
import { inParallel, issueMany, buyer, operator, seller } from './support/api.ts';
import { Scs } from './support/scs.ts';
import { useSystem } from './support/system.ts';

const TRADES = manyOrFew(1_000, 300);
/** Number of messages after which scs is killed. */
const MESSAGES_PER_RUN = TRADES * 0.15;
/** One message in this number is rejected at first. */
const REFUSED_ONE_IN = 50;

const system = useSystem();
const scs = new Scs();
afterAll(() => scs.leave());

test('a listener killed repeatedly during many trades forwards every event, signed and in order', async () => {
  const [channel] = system().channels;
  const { id: apiKeyId, secret: passphrase } = operator(channel).apiKey;
  const client = new SalesChannel({ baseUrl: system().baseUrl, credentials: { apiKeyId, passphrase } });
  await scs.run(['login', '--base-url', system().baseUrl, '--api-key'], `${apiKeyId}\n${passphrase}\n`);

  const accepted: WebhookMessage[] = [];
  const wrong: unknown[] = [];
  let requests = 0;
  let secret: string | undefined;
  const server = createServer((request, response) => {
    const take = async (): Promise<number> => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece as Buffer);
      const config = readFileSync(join(scs.home, 'scs/config.json'), 'utf8');
      secret ??= (JSON.parse(config) as { profiles: Record<string, { webhookSecret: string }> }).profiles['default']
        ?.webhookSecret;
      const body = Buffer.concat(pieces);
      const message = await verifyWebhook({ body, headers: request.headers, secrets: secret ?? 'none' });
      requests += 1;
      if (requests % REFUSED_ONE_IN === 0) return 503;
      accepted.push(message);
      return 204;
    };
    take().then(
      (status) => response.writeHead(status).end(),
      (error: unknown) => {
        wrong.push(error);
        response.writeHead(400).end();
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;

  let isOver = false;
  let runs = 0;
  const output: string[] = [];
  const runListeners = async (): Promise<void> => {
    while (!isOver) {
      runs += 1;
      const before = accepted.length;
      const running = scs.start('listen', '--forward-to', target, '--poll', '0.05');
      running.stdout.resume();
      running.stderr.setEncoding('utf8').on('data', (text: string) => output.push(text));
      const isRunOver = (): boolean =>
        isOver || accepted.length >= before + MESSAGES_PER_RUN || running.exitCode !== null;
      // Kill it after the time limit even if the machine is too busy for its messages.
      await eventually(() => Promise.resolve(isRunOver()), 'the end of a life').catch(() => undefined);
      running.kill('SIGKILL');
      if (running.exitCode === null && running.signalCode === null) await once(running, 'exit');
    }
  };
  // The first run stores its starting position before any event.
  const listeners = runListeners();
  await eventually(() => Promise.resolve(output.join('').includes('Forwarding events to')), 'the first words');

  const starts = await issueMany(system(), channel, TRADES);
  await inParallel(starts, (start) =>
    client.trades.start(seller(channel).id, {
      buyerId: buyer(channel).id,
      currency: 'EUR',
      assets: [{ start, end: start, unitPrice: 1 }],
    }),
  );
  await system().waitUntilDrained();
  const events: string[] = [];
  for await (const { event } of client.events.iterate({ pageSize: 1_000 })) events.push(event.id);
  const expected = events.slice(-TRADES);
  await eventually(() => Promise.resolve(new Set(accepted.map(({ id }) => id)).size >= TRADES), 'the last event');
  isOver = true;
  await listeners;
  server.close();
  server.closeAllConnections();

  expect(wrong).toEqual([]);
  expect(runs).toBeGreaterThan(3);
  // First arrivals are in the order of the log. Repeated events keep their ids.
  expect([...new Set(accepted.map(({ id }) => id))]).toEqual(expected);
  const before = new Map(events.map((id, at) => [id, at === 0 ? null : events[at - 1]]));
  for (const { id, type, previousEventId } of accepted) {
    expect({ type, previousEventId }).toEqual({ type: 'TRANSACTION_STATUS_CHANGE', previousEventId: before.get(id) });
  }
  // Only the first run prints the secret.
  expect(output.join('').split('whsec_')).toHaveLength(2);
}, 300_000);
