import { expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook, WebhookVerificationError } from '../src/index.ts';

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
    for (const secrets of [secret, other, [other, secret]]) {
      expect(await verifyWebhook({ body: bytes, headers, secrets, now })).toMatchObject({ id: 'e1' });
    }
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
  for (const headers of [foreign, lists]) {
    expect(await verifyWebhook({ body, headers, secrets: secret, now })).toMatchObject({ id: 'e1' });
  }
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
