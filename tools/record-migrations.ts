// npm run migrations [-- --amend]
//
// Records the hashes of each service's migrations (src/store/migrations/released.json) and the schema that they
// produce (src/store/schema.txt), for readers and schemaTests. A recorded migration never changes. With --amend
// the newest of each service may, before its release.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { openDatabase, type Schema } from '../libs/database/src/index.ts';
import { createTemporaryFolder, removeFolder, startPostgres } from '../libs/local-backends/src/index.ts';
import { silentLogger } from '../libs/runtime/src/index.ts';
import { describeSchema, hashMigration } from '../lab/testing/src/describe-schema.ts';

const root = join(import.meta.dirname, '..');
const { values: options } = parseArgs({ options: { amend: { type: 'boolean', default: false } } });

/** @throws Error if a recorded migration changed or is missing */
function recordHashes(store: string, { migrations }: Schema): void {
  const file = join(store, 'migrations/released.json');
  const recorded = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {};
  const hashes = Object.fromEntries(migrations.map(({ file: name, text }) => [name, hashMigration(text)]));
  const newest = options.amend ? migrations.at(-1)?.file : undefined;
  const changed = Object.keys(recorded).filter((name) => name !== newest && hashes[name] !== recorded[name]);
  if (changed.length > 0) throw new Error(`${store}: recorded migrations must not change: ${changed.join(', ')}`);
  writeFileSync(file, `${JSON.stringify(hashes, null, 2)}\n`);
}

/** Schema that the migrations produce in an empty database. */
async function schemaOf(serverUrl: string, name: string, schema: Schema): Promise<string> {
  const server = new Client({ connectionString: serverUrl });
  await server.connect();
  await server.query(`create database "${name}"`).finally(() => server.end());
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).toString();
  const database = await openDatabase({ url, poolMax: 2, logger: silentLogger, ...schema });
  await database.migrate().finally(() => database.stop());
  const client = new Client({ connectionString: url });
  await client.connect();
  return describeSchema(client).finally(() => client.end());
}

const folder = await createTemporaryFolder();
const server = await startPostgres({
  dataDirectory: join(folder, 'postgres'),
  durable: false,
  removeWhenOrphaned: true,
  log: () => undefined,
});
try {
  for (const file of globSync('apps/*/src/store/schema.ts', { cwd: root }).toSorted()) {
    const store = join(root, file, '..');
    const { schema } = (await import(pathToFileURL(join(root, file)).href)) as { schema: Schema };
    recordHashes(store, schema);
    const name = file.split('/')[1] as string;
    writeFileSync(join(store, 'schema.txt'), await schemaOf(server.url, name, schema));
    process.stdout.write(`${name}: ${schema.migrations.length} migrations\n`);
  }
} finally {
  await server.stop();
  removeFolder(folder);
}
