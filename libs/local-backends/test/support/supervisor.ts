// Runs as a separate process of guarded-process.test.ts, to be killed: starts both servers and prints their addresses.
import { join } from 'node:path';
import { startPostgres, startRabbitMq } from '../../src/index.ts';

const folder = process.argv[2] ?? '';
const log = (): undefined => undefined;
const [postgres, rabbitMq] = await Promise.all([
  startPostgres({ dataDirectory: join(folder, 'postgres'), log }),
  startRabbitMq({ dataDirectory: join(folder, 'rabbitmq'), users: [], vhost: '/', removeWhenOrphaned: true, log }),
]);
process.stdout.write(`${JSON.stringify({ url: postgres.url, postgres: postgres.pid, rabbitMq: rabbitMq.pid })}\n`);
