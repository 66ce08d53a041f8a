import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import {
  SalesChannel,
  UnavailableError,
  verifyWebhook,
  WebhookVerificationError,
  type PositionedEvent,
} from '../src/index.ts';
import { inMemory, json, problem, startServer, type Reply, type Server } from './support/server.ts';

describe('the log', () => {
  let server: Server | undefined;
  afterEach(() => server?.stop());

  const createEvent = (number: number) => ({
    id: `e${number}`,
    eventType: 'TRANSACTION_STATUS_CHANGE',
    createdAt: new Date(number).toISOString(),
    eventAt: new Date(number).toISOString(),
    payload: { transactionId: `t${number}`, status: 'SUCCESS' },
  });

  /** An event log like the service's: a page begins with the events at the time of the filter. */
  class Log {
    readonly events: ReturnType<typeof createEvent>[] = [];
    failures = 0;
    pages = 0;

    write(count: number): void {
      for (let number = 0; number < count; number += 1) this.events.push(createEvent(this.events.length));
    }

    reply(url: string): Reply {
      if (this.failures-- > 0) return problem(503, 'unavailable', {}, { 'Retry-After': '0' });
      this.pages += 1;
      const { searchParams } = new URL(url, 'http://localhost');
      expect(searchParams.get('$orderBy')).toBe('{"createdAt":"asc"}');
      const filter = JSON.parse(searchParams.get('$filter') ?? '{}') as { createdAt?: { gte: string } };
      const from = filter.createdAt?.gte;
      const left = this.events.filter(({ createdAt }) => from === undefined || createdAt >= from);
      return json(200, left.slice(0, Number(searchParams.get('$limit'))));
    }
  }

  async function serve(log: Log): Promise<Server> {
    server = await startServer((_, { url }) => log.reply(url));
    return server;
  }

  test.each([
    [0, 2, 1],
    [1, 2, 1],
    [2, 2, 2],
    [7, 2, 7],
    [100, 100, 2],
    [100, 37, 3],
  ])('%i events in pages of %i: each once, in %i pages', async (count, pageSize, pages) => {
    const log = new Log();
    log.write(count);
    const { client } = await serve(log);
    const seen: string[] = [];
    for await (const { event } of client().events.iterate({ pageSize })) seen.push(event.id);
    expect(seen).toEqual(log.events.map(({ id }) => id));
    expect(log.pages).toBe(pages);
  });

  test('reading resumes after a stored position', async () => {
    const log = new Log();
    log.write(10);
    const { client } = await serve(log);
    const seen: string[] = [];
    let from: string | undefined;
    while (seen.length < 10) {
      for await (const { event, position } of client().events.iterate({ from, pageSize: 4 })) {
        seen.push(event.id);
        from = position;
        break;
      }
    }
    expect(seen).toEqual(log.events.map(({ id }) => id));
    for await (const { event } of client().events.iterate({ from })) throw new Error(`${event.id} came again`);
  });

  test('following reads later events, survives failures and ends on abort', async () => {
    const log = new Log();
    log.write(3);
    const { client } = await serve(log);
    const ending = new AbortController();
    const failures: unknown[] = [];
    const seen: PositionedEvent[] = [];
    const following = async (): Promise<void> => {
      const onFailure = (error: unknown): void => void failures.push(error);
      const options = { follow: true, pollMs: 1, signal: ending.signal, onFailure };
      for await (const each of client({ retries: 0 }).events.iterate(options)) {
        seen.push(each);
        if (seen.length === 3) {
          log.failures = 2;
          log.write(4);
        }
        if (seen.length === 7) ending.abort(new Error('enough'));
      }
    };
    await expect(following()).rejects.toThrow('enough');
    expect(seen.map(({ event }) => event.id)).toEqual(log.events.map(({ id }) => id));
    expect(failures).toHaveLength(2);
    expect(failures[0]).toBeInstanceOf(UnavailableError);
  });

  test('an abort stops events that are already read', async () => {
    const log = new Log();
    log.write(5);
    const { client } = await serve(log);
    const ending = new AbortController();
    const seen: string[] = [];
    const reading = async (): Promise<void> => {
      for await (const { event } of client().events.iterate({ signal: ending.signal })) {
        seen.push(event.id);
        if (seen.length === 2) ending.abort(new Error('enough'));
      }
    };
    await expect(reading()).rejects.toThrow('enough');
    expect(seen).toEqual(['e0', 'e1']);
  });

  test('following waits as long as the service requires', async () => {
    const service = inMemory(
      () => Response.json({ type: '/problems/unavailable' }, { status: 503, headers: { 'Retry-After': '600' } }),
      () => Response.json([createEvent(1)]),
    );
    jest.useFakeTimers();
    try {
      const client = new SalesChannel({ ...service.options, retries: 0 });
      const next = client.events.iterate({ follow: true, pollMs: 1 }).next();
      await jest.advanceTimersByTimeAsync(599_000);
      expect(service.count()).toBe(1);
      await jest.advanceTimersByTimeAsync(2_000);
      expect(await next).toMatchObject({ value: { event: { id: 'e1' } } });
    } finally {
      jest.useRealTimers();
    }
  });

  test('reading without following throws on failures', async () => {
    const log = new Log();
    log.failures = 10;
    const { client } = await serve(log);
    await expect(client({ retries: 0 }).events.iterate().next()).rejects.toThrow(UnavailableError);
  });

  test('pages of one event and invalid positions are refused', async () => {
    const { client } = await serve(new Log());
    await expect(client().events.iterate({ pageSize: 1 }).next()).rejects.toThrow(RangeError);
    await expect(client().events.iterate({ from: 'yesterday' }).next()).rejects.toThrow(TypeError);
  });
});

describe('webhooks', () => {
  const secret = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`;
  const other = `whsec_${Buffer.from('another secret of the test').toString('base64')}`;
  const at = new Date('2026-03-04T10:02:12.000Z');
  const now = at.getTime();
  const data = {
    id: 'e1',
    eventType: 'TRANSACTION_STATUS_CHANGE',
    createdAt: '2026-03-04T10:02:11.049Z',
    eventAt: '2026-03-04T10:02:11.047Z',
    payload: { transactionId: 't1', status: 'SUCCESS' },
  };
  const body = JSON.stringify({
    type: 'TRANSACTION_STATUS_CHANGE',
    timestamp: at.toISOString(),
    data,
    previousEventId: null,
  });

  /** Signed by the reference implementation of the standard. */
  const signHeaders = (text: string, ...secrets: string[]): Record<string, string> => ({
    'webhook-id': 'e1',
    'webhook-timestamp': String(now / 1_000),
    'webhook-signature': secrets.map((each) => new Webhook(each).sign('e1', at, text)).join(' '),
  });

  test('a message signed by the reference implementation is accepted', async () => {
    const message = await verifyWebhook({ body, headers: signHeaders(body, secret), secrets: secret, now });
    expect(message).toEqual({ ...(JSON.parse(body) as object), id: 'e1' });
    if (message.type === 'TRANSACTION_STATUS_CHANGE') expect(message.data.payload.status).toBe('SUCCESS');
  });

  test('bytes, headers of any kind, and either secret during a rotation are accepted', async () => {
    const bytes = new TextEncoder().encode(body);
    const both = signHeaders(body, other, secret);
    const upper = Object.fromEntries(Object.entries(both).map(([name, value]) => [name.toUpperCase(), value]));
    for (const headers of [both, new Headers(both), upper]) {
      for (const secrets of [secret, other, [other, secret]])
        expect(await verifyWebhook({ body: bytes, headers, secrets, now })).toMatchObject({ id: 'e1' });
    }
    const single = { body, headers: signHeaders(body, other), now };
    expect(await verifyWebhook({ ...single, secrets: [secret, other] })).toMatchObject({ id: 'e1' });
  });

  const signed = signHeaders(body, secret);
  test.each([
    ['another body', { body: body.replace('SUCCESS', 'FAILED') }, 'signature'],
    ['another id', { headers: { ...signed, 'webhook-id': 'e2' } }, 'signature'],
    ['another secret', { secrets: other }, 'signature'],
    ['no secret', { secrets: [] }, 'signature'],
    ['another version', { headers: { ...signed, 'webhook-signature': 'v2,AAAA' } }, 'signature'],
    ['a broken signature', { headers: { ...signed, 'webhook-signature': 'v1,%%% v1, v1,AAAA' } }, 'signature'],
    ['a message that is too old', { now: now + 301_000 }, 'timestamp'],
    ['a clock that is ahead', { now: now - 301_000 }, 'timestamp'],
    ['no time', { headers: { ...signed, 'webhook-timestamp': 'now' } }, 'timestamp'],
    ['no headers', { headers: {} }, 'headers'],
    ['repeated headers', { headers: { ...signed, 'webhook-id': ['e1', 'e1'] } }, 'headers'],
    ['no message', { body: 'x', headers: signHeaders('x', secret) }, 'body'],
    ['no type', { body: '{}', headers: signHeaders('{}', secret) }, 'body'],
  ])('%s is refused', async (_, change, fault) => {
    const failure: unknown = await verifyWebhook({ body, headers: signed, secrets: secret, now, ...change }).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(WebhookVerificationError);
    expect(failure).toMatchObject({ fault });
  });

  test('foreign header objects and single-valued lists are accepted', async () => {
    const original = new Headers(signed);
    const foreign = { get: (name: string) => original.get(name) };
    const lists = Object.fromEntries(Object.entries(signed).map(([name, value]) => [name, [value]]));
    for (const headers of [foreign, lists])
      expect(await verifyWebhook({ body, headers, secrets: secret, now })).toMatchObject({ id: 'e1' });
  });

  test('a tolerance of NaN accepts nothing', async () => {
    const old = { body, headers: signed, secrets: secret, now: now + 86_400_000, toleranceSeconds: NaN };
    await expect(verifyWebhook(old)).rejects.toMatchObject({ fault: 'timestamp' });
  });

  test('a parsed body is refused as a programming error', async () => {
    const parsed = JSON.parse(body) as string;
    await expect(verifyWebhook({ body: parsed, headers: signed, secrets: secret, now })).rejects.toThrow(TypeError);
  });

  test('the tolerance is exact to the second', async () => {
    for (const late of [-300_000, 300_000]) {
      expect(await verifyWebhook({ body, headers: signed, secrets: secret, now: now + late })).toMatchObject({
        id: 'e1',
      });
    }
  });

  test('an invalid secret is refused as a programming error and not shown', async () => {
    // `null` would decode to three known bytes.
    for (const wrong of ['', 'whsec_', 'whsec_%%', [null], undefined] as string[]) {
      const failure = await verifyWebhook({ body, headers: signed, secrets: wrong, now }).catch(
        (error: unknown) => error,
      );
      expect(failure).toBeInstanceOf(TypeError);
      expect(String(failure)).not.toContain('%%');
    }
  });
});
