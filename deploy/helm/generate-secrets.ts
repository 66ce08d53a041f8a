// npm run helm:secrets -- --database <host:port> --broker <host:port> [--broker-plaintext]
//                         [--database-options sslmode=verify-full] [--namespace saleschannel] [--without-certificates]
//                         [--from installation.json] [--save installation.json]
//                         [--rotate database|broker|tls|statement-key|portal-cookies|console-cookies]
//                         [--rotate service-keys|pepper|tls-authority --step prepare|switch|finish]
//                         [--listener <name>=<event>,…] [--remove-listener <name>]
// Prints the Secrets and the ConfigMap that the charts refer to: pipe them to "kubectl apply -f -", or seal them.
// PostgreSQL and RabbitMQ are reached with TLS, and their names are checked, unless it is said otherwise.
// This is an example. Any other store of secrets does as well.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  addListener,
  auditUrlOf,
  brokerDefinitions,
  brokerUrlOf,
  completeSecrets,
  databaseServices,
  databaseUrlOf,
  keyHolders,
  migrationUrlOf,
  parseSecrets,
  removeListener,
  rolesFile,
  rotate,
  secretHolders,
  secretsOf,
  secretsOfMigration,
  tlsFilesOf,
  type SecretParts,
} from '@saleschannel/installation';
import { stringify } from 'yaml';

const { values: options } = parseArgs({
  options: {
    database: { type: 'string' },
    'database-options': { type: 'string', default: 'sslmode=verify-full' },
    broker: { type: 'string' },
    'broker-plaintext': { type: 'boolean' },
    namespace: { type: 'string', default: 'saleschannel' },
    from: { type: 'string' },
    save: { type: 'string' },
    rotate: { type: 'string' },
    step: { type: 'string' },
    listener: { type: 'string' },
    'remove-listener': { type: 'string' },
    'without-certificates': { type: 'boolean' },
  },
});
if (!options.database || !options.broker) throw new Error('--database and --broker are needed, each host:port');
const change = (['rotate', 'listener', 'remove-listener'] as const).find((name) => options[name] !== undefined);
if (change && !(options.from && options.save))
  throw new Error(`--${change} needs --from what there is, and --save for the next time`);

const known = options.from ? parseSecrets(readFileSync(options.from, 'utf8')) : {};
const withListener = options.listener === undefined ? known : addListener(known, options.listener);
const without = options['remove-listener'];
const wanted = without === undefined ? withListener : removeListener(withListener, without);
const secrets = await (options.rotate === undefined
  ? completeSecrets(wanted)
  : rotate(wanted, options.rotate, options.step));
if (options.save) writeFileSync(options.save, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });

// What is left out shall not be what is unsafe.
const databaseServer = `postgres://${options.database}?${options['database-options']}`;
const broker = `${options['broker-plaintext'] ? 'amqp' : 'amqps'}://${options.broker}`;
const parts: SecretParts = {
  secrets,
  databaseUrlOf: (program) => databaseUrlOf(program, secrets, databaseServer),
  migrationUrlOf: (program) => migrationUrlOf(program, secrets, databaseServer),
  auditUrl: auditUrlOf(secrets, databaseServer),
  brokerUrlOf: (program) => brokerUrlOf(program, secrets, broker),
};

const metadata = (name: string): object => ({
  name,
  namespace: options.namespace,
  labels: { 'app.kubernetes.io/part-of': 'saleschannel' },
});
const secret = (name: string, stringData: Record<string, string>, type = 'Opaque'): object => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: metadata(name),
  type,
  stringData,
});

const byVariable = (held: readonly { variable: string; value: string }[]): Record<string, string> =>
  Object.fromEntries(held.map(({ variable, value }) => [variable, value]));

const documents = [
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: metadata('service-public-keys'),
    data: { SERVICE_PUBLIC_KEYS: JSON.stringify(secrets.serviceKeys.publicKeys) },
  },
  ...secretHolders.map((program) => secret(program, byVariable(secretsOf(program, parts)))),
  ...databaseServices.map((service) => secret(`migrate-${service}`, byVariable(secretsOfMigration(service, parts)))),
  ...(options['without-certificates']
    ? []
    : keyHolders.map((program) => secret(`${program}-tls`, tlsFilesOf(program, secrets.tls), 'kubernetes.io/tls'))),
  // For those who run the listeners.
  ...Object.keys(secrets.brokerListeners).map((name) =>
    secret(`listener-${name}`, { AMQP_URL: brokerUrlOf(name, secrets, broker) }),
  ),
  // For the database server and the broker. Services do not read these.
  secret('postgres-roles', { roles: rolesFile(secrets) }),
  secret('rabbitmq-definitions', { 'definitions.json': JSON.stringify(brokerDefinitions(secrets), null, 2) }),
];
process.stdout.write(documents.map((document) => `---\n${stringify(document, { lineWidth: 0 })}`).join(''));
