import { connect, type ConfirmChannel } from 'amqplib';
import type { Client } from 'pg';
import { ADMIN } from '@saleschannel/installation';
import type { Stack } from '@saleschannel/local';
import { buildAdminUrl, withConnection, execute } from '../measure/database.ts';

/**
 * The reference of `latency`, frozen: the minimum steps of a trade in sequence. Store the task, send it through the
 * broker, execute the ledger's step, send the outcome back, end the task, append the event, read it. Each store is a
 * commit, each message is confirmed by a quorum queue.
 */

const DATABASE = 'bench_steps';
const QUEUES = ['bench.requested', 'bench.changed'] as const;

const schema = `
  create table task (id int primary key, status text not null, body text not null);
  create table bundle (id int primary key, first bigint not null);
  create table event (id int primary key, body text not null);
  insert into bundle select n, 0 from generate_series(1, 4096) n;`;

const BODY = JSON.stringify({ filler: 'x'.repeat(600) });

/** Milliseconds of each of `turns` sequential runs. */
export async function measureSteps(stack: Stack, turns: number): Promise<number[]> {
  const url = buildAdminUrl(stack, DATABASE);
  await execute(stack.databaseAdminUrl, `drop database if exists ${DATABASE}`, `create database ${DATABASE}`);
  await execute(url, schema);
  return withConnection(url, async (database) => {
    const broker = await connect(stack.place.brokerUrlOf(ADMIN), { noDelay: true });
    try {
      const handOver = await openQueues(await broker.createConfirmChannel());
      const times: number[] = [];
      for (let turn = 1; turn <= turns; turn++) {
        const started = performance.now();
        await takeTurn(database, handOver, turn);
        times.push(performance.now() - started);
      }
      return times;
    } finally {
      await broker.close();
    }
  });
}

async function takeTurn(database: Client, handOver: (queue: string) => Promise<void>, turn: number): Promise<void> {
  const run = (name: string, text: string, values: readonly unknown[]) =>
    database.query({ name, text, values: [...values] });
  await run('task', `insert into task values ($1, 'PENDING', $2)`, [turn, BODY]);
  await handOver(QUEUES[0]);
  await run('ledger', 'update bundle set first = first + 1 where id = $1', [(turn % 4_096) + 1]);
  await handOver(QUEUES[1]);
  await run('end', `update task set status = 'SUCCESS' where id = $1`, [turn]);
  await run('event', 'insert into event values ($1, $2)', [turn, BODY]);
  await run('read', 'select body from event where id = $1', [turn]);
}

/** Returns a function that publishes a message to a queue and waits until it is consumed. */
async function openQueues(channel: ConfirmChannel): Promise<(queue: string) => Promise<void>> {
  const arrivals = new Map<string, () => void>();
  for (const queue of QUEUES) {
    await channel.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
    await channel.purgeQueue(queue);
    await channel.consume(queue, (message) => {
      if (!message) return;
      channel.ack(message);
      arrivals.get(queue)?.();
    });
  }
  return async (queue) => {
    const arrived = new Promise<void>((resolve) => arrivals.set(queue, resolve));
    channel.sendToQueue(queue, Buffer.from(BODY), { persistent: true });
    await channel.waitForConfirms();
    await arrived;
  };
}
