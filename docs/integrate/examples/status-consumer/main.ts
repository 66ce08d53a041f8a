// A service of another team: it keeps the newest status of every transaction, by listening to integration events.
//
// AMQP_URL    the address of the broker, with the user that the operator made
// INBOX_FILE  its database
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, type ConsumeMessage } from 'amqplib';
import { z } from 'zod';

const EVENTS = 'saleschannel.events';
const TYPE = 'inventory.transaction.status-changed.v1';
/** Everything of this service on the broker begins with its name: nothing else may it touch. */
const QUEUE = 'status-consumer.transactions';
const DEAD_LETTERS = `${QUEUE}.dead-letters`;

/** Unacknowledged messages that the broker sends at most. */
const PREFETCH = 20;
/** A message returned to the queue this often becomes a dead letter: its handler fails or crashes. */
const DELIVERY_LIMIT = 20;
const TRY_AGAIN_MS = 5_000;
/** The disk of the broker is shared. While this service is down, its oldest messages are dropped first. */
const QUEUE_BYTES_AT_MOST = 256 * 1024 * 1024;

/** The fields that this service uses. Other fields, present and future, are ignored. */
const entrySchema = z.object({
  eventId: z.string(),
  transactionId: z.string(),
  status: z.enum(['SUCCESS', 'REJECTED', 'FAILED']),
  effectiveAt: z.string(),
});
type Entry = z.infer<typeof entrySchema>;

const { AMQP_URL, INBOX_FILE } = z.object({ AMQP_URL: z.string(), INBOX_FILE: z.string() }).parse(process.env);

const database = new DatabaseSync(INBOX_FILE, { timeout: 10_000 });
database.exec(`
  pragma journal_mode = wal;
  create table if not exists inbox (event_id text primary key) strict;
  create table if not exists latest (transaction_id text primary key, status text, effective_at text) strict;
`);
const remember = database.prepare('insert into inbox (event_id) values (?) on conflict do nothing');
const keep = database.prepare(`
  insert into latest (transaction_id, status, effective_at) values (?, ?, ?)
  on conflict (transaction_id) do update set status = excluded.status, effective_at = excluded.effective_at
  where excluded.effective_at > latest.effective_at`);

/** Writes inbox and result in one transaction, so that each event counts once, in any order and however often sent. */
function handle(entries: readonly Entry[]): void {
  database.exec('begin immediate');
  try {
    for (const { eventId, transactionId, status, effectiveAt } of entries)
      if (remember.run(eventId).changes === 1) keep.run(transactionId, status, effectiveAt);
    database.exec('commit');
  } catch (error) {
    database.exec('rollback');
    throw error;
  }
}

/** Parses each entry of a message by itself, so that an unreadable one does not block the others. */
function read({ properties, content }: ConsumeMessage): { entries: Entry[]; unreadable: unknown[] } {
  const envelope = z.object({ entries: z.array(z.unknown()) }).safeParse(parseJson(content));
  if (properties.type !== TYPE || !envelope.success) return { entries: [], unreadable: [content.toString()] };
  const results = envelope.data.entries.map((given) => ({ given, result: entrySchema.safeParse(given) }));
  return {
    entries: results.flatMap(({ result }) => (result.success ? [result.data] : [])),
    unreadable: results.flatMap(({ given, result }) => (result.success ? [] : [given])),
  };
}

function parseJson(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString());
  } catch {
    return undefined;
  }
}

const connection = await connect(AMQP_URL);
// The supervisor restarts the program, and the broker sends unacknowledged messages again.
const end = (error: unknown): never => {
  console.error(error);
  process.exit(1);
};
connection.on('error', end);
connection.on('close', () => process.exit(1));
const channel = await connection.createConfirmChannel();
channel.on('error', end);

await channel.assertExchange(DEAD_LETTERS, 'fanout', { durable: true });
await channel.assertQueue(DEAD_LETTERS, {
  durable: true,
  arguments: { 'x-queue-type': 'quorum', 'x-max-length-bytes': QUEUE_BYTES_AT_MOST },
});
await channel.bindQueue(DEAD_LETTERS, DEAD_LETTERS, '');
await channel.assertQueue(QUEUE, {
  durable: true,
  arguments: {
    'x-queue-type': 'quorum',
    'x-delivery-limit': DELIVERY_LIMIT,
    'x-dead-letter-exchange': DEAD_LETTERS,
    'x-max-length-bytes': QUEUE_BYTES_AT_MOST,
    // Not "reject-publish": a full queue of this service would stop those who publish.
    'x-overflow': 'drop-head',
  },
});
await channel.bindQueue(QUEUE, EVENTS, TYPE);
await channel.prefetch(PREFETCH);

async function work(message: ConsumeMessage): Promise<void> {
  const { entries, unreadable } = read(message);
  handle(entries);
  for (const each of unreadable) {
    channel.publish(DEAD_LETTERS, '', Buffer.from(JSON.stringify(each)), {
      persistent: true,
      type: String(message.properties.type),
      headers: { reason: 'unreadable' },
    });
  }
  // Only when the broker has the dead letters, and the database the rest, is the message done.
  await channel.waitForConfirms();
  channel.ack(message);
  console.log(JSON.stringify({ entries: entries.length, unreadable: unreadable.length }));
}

const stopping = new AbortController();

/** It comes again after a while, until the limit makes a dead letter of it. The others go on. */
async function giveBack(message: ConsumeMessage, reason: unknown): Promise<void> {
  console.error(reason);
  await pause(TRY_AGAIN_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
  // Once the connection is closed the broker has it back anyway.
  if (!stopping.signal.aborted) channel.nack(message);
}

const { consumerTag } = await channel.consume(QUEUE, (message) => {
  if (message === null) return end(new Error('the queue was deleted'));
  work(message)
    .catch((error: unknown) => giveBack(message, error))
    .catch(end);
});
console.log('listening');

process.once('SIGTERM', () => {
  stopping.abort();
  connection.removeAllListeners('close');
  channel
    .cancel(consumerTag)
    .then(() => channel.waitForConfirms())
    .then(() => connection.close())
    .then(() => database.close())
    .catch(end);
});
