// Generates files, and starts a temporary PostgreSQL and RabbitMQ for all tests, unless TEST_DATABASE_URL and
// TEST_AMQP_URL name servers. JEST_BACKENDS=off starts neither.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Client, escapeIdentifier } from 'pg';
import {
  ensureChromiumInstalled,
  ensureRabbitMqInstalled,
  createTemporaryFolder,
  removeFolder,
  startPostgres,
  startRabbitMq,
} from '../../libs/local-backends/src/index.ts';
import { useFolderInMemory } from './test-folder.mjs';

const log = (line) => process.stderr.write(`jest: ${line}\n`);
const everything = { configure: '.*', write: '.*', read: '.*' };

const startDatabase = async (folder) => {
  const server = await startPostgres({
    dataDirectory: join(folder, 'postgres'),
    durable: false,
    // Each worker may run two whole systems.
    settings: { max_connections: '800' },
    removeWhenOrphaned: true,
    log,
  });
  process.env.TEST_DATABASE_URL = server.url;
  return server;
};

const startBroker = async (folder) => {
  await ensureRabbitMqInstalled(log);
  const users = [{ name: 'test', password: 'test', ...everything }];
  const server = await startRabbitMq({
    dataDirectory: join(folder, 'rabbitmq'),
    users,
    vhost: '/',
    removeWhenOrphaned: true,
    log,
  });
  process.env.TEST_AMQP_URL = server.url('test');
  return server;
};

/** Leaves nothing on an external server. */
const dropTemplates = async () => {
  const client = new Client({ connectionString: process.env.TEST_DATABASE_URL });
  await client.connect();
  const templates = await client.query('select datname from pg_database where starts_with(datname, $1)', [
    process.env.TEST_TEMPLATES,
  ]);
  for (const { datname } of templates.rows)
    await client.query(`drop database ${escapeIdentifier(datname)} with (force)`);
  await client.end();
};

const findBrowser = async () => {
  try {
    process.env.TEST_CHROMIUM = await ensureChromiumInstalled(log);
  } catch (error) {
    process.env.TEST_CHROMIUM_MISSING = error.message;
    log(`browser tests are skipped. ${error.message}`);
  }
};

/** Cache of compiled modules for workers and the programs that tests start. */
const COMPILED = join(import.meta.dirname, '../../node_modules/.cache/compile');

/** Runs before the workers start, so that they never generate concurrently. */
const generate = () =>
  execFileSync(process.execPath, [join(import.meta.dirname, '../generate.ts'), '--untracked'], { stdio: 'inherit' });

export default async function setUp() {
  generate();
  process.env.NODE_COMPILE_CACHE ??= COMPILED;
  globalThis.removeTestFolder = useFolderInMemory();
  if (process.env.JEST_BACKENDS === 'off') return;
  // Prefix of the template databases of this run.
  process.env.TEST_TEMPLATES = `template_${randomBytes(6).toString('hex')}`;
  if (process.env.TEST_DATABASE_URL) globalThis.dropTestTemplates = dropTemplates;
  await startServers();
  // After RabbitMQ's installation, because apt-get runs once at a time.
  await findBrowser();
}

async function startServers() {
  const starts = [
    ...(process.env.TEST_DATABASE_URL ? [] : [startDatabase]),
    ...(process.env.TEST_AMQP_URL ? [] : [startBroker]),
  ];
  if (starts.length === 0) return;
  const folder = await createTemporaryFolder();
  const results = await Promise.allSettled(starts.map((start) => start(folder)));
  const servers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const stopBackends = async () => {
    await Promise.all(servers.map((server) => server.stop()));
    removeFolder(folder);
  };
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) {
    await stopBackends();
    throw failure.reason;
  }
  globalThis.stopTestBackends = stopBackends;
}
