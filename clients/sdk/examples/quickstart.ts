import { createServer } from 'node:http';
import { SalesChannel, verifyWebhook } from '@saleschannel/sdk';

const { BASE_URL = '', API_KEY_ID = '', PASSPHRASE = '', WEBHOOK_SECRET = '' } = process.env;
const client = new SalesChannel({
  baseUrl: BASE_URL,
  credentials: { apiKeyId: API_KEY_ID, passphrase: PASSPHRASE },
});

// Choose a trader that owns certificates as seller, and another trader as buyer.
const traders = await client.request('listTraders');
const summaries = await Promise.all(traders.map(({ id }) => client.inventory.summary(id)));
const seller = traders[summaries.findIndex(({ volume }) => volume >= 2)];
const buyer = traders.find(({ id }) => id !== seller?.id);
if (!seller || !buyer) throw new Error('two traders are required, one with at least two certificates');

// Trade the first certificate of the first bundle. Store the key with your order, so that a retry sells nothing twice.
const { value: bundle } = await client.inventory.list(seller.id, { $limit: 1 }).next();
if (!bundle) throw new Error('the seller has no bundle');
const assets = [{ start: bundle.start, end: bundle.start, unitPrice: '149.50' }];
const order = { buyerId: buyer.id, currency: 'EUR' as const, assets };
const trade = await client.trades.start(seller.id, order, { idempotencyKey: `order-${crypto.randomUUID()}` });
await trade.wait(); // throws TaskFailedError, whose task.message states the reason
console.log('traded', trade.transactionId);

// Retire one tonne of the oldest certificates.
const retirement = await client.retirements.retireOldest(seller.id, {
  volume: 1,
  beneficiaryName: 'Nordlys Ferries AS',
  beneficiaryLocation: 'Bergen, Norway',
  consumptionCountryCode: 'NO',
  consumptionPeriod: { start: '2024-01-01T00:00:00Z', end: '2024-12-31T23:59:59Z' },
  retirementPurpose: 'Residual emissions of 2024',
});
await retirement.wait();
console.log('retired', retirement.transactionId);

// Read all events. Store the position and pass it as `from` next time. With `follow: true` the loop waits for new
// events.
for await (const { event, position } of client.events.iterate()) {
  if (event.payload.transactionId === retirement.transactionId) console.log('seen', event.payload.status, position);
}

// Receive webhooks: accept only signed messages.
const server = createServer((request, response) => {
  const verify = async (): Promise<void> => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces);
    const message = await verifyWebhook({ body, headers: request.headers, secrets: WEBHOOK_SECRET });
    console.log('received', message.id, message.type);
  };
  verify().then(
    () => response.writeHead(204).end(),
    () => response.writeHead(400).end(),
  );
});
server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => console.log('listening', server.address()));
