import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { runtimeUrlOf } from '@saleschannel/testing';
import { Client } from 'pg';
import { startEvents, statusChange, type Events } from './support/events.ts';

let log: Events;
let runtime: Client;
beforeAll(async () => {
  log = await startEvents();
  runtime = new Client({ connectionString: runtimeUrlOf(log.service.databaseUrl) });
  await runtime.connect();
});
afterAll(async () => {
  await runtime.end();
  await log.stop();
});

test("the service's role can update the head of a log, but not delete it", async () => {
  const channel = newId();
  await log.publish([statusChange(channel)]);
  await log.filled(channel, 1);
  await expect(runtime.query('delete from log_head')).rejects.toMatchObject({ code: '42501' });
  const { rowCount } = await runtime.query(
    'update log_head set last_created_at = last_created_at where sales_channel_id = $1',
    [channel],
  );
  expect(rowCount).toBe(1);
});
