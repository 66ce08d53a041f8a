// npm run k8s:secrets -- --database <host:port> --broker <host:port> [--broker-tls] [--database-options sslmode=verify-full]
//                        [--namespace saleschannel] [--from installation.json] [--save installation.json]
// Prints the Secrets and the ConfigMap that deploy/k8s refers to: pipe them to "kubectl apply -f -", or seal them. An example; any other secret store does as well.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import {
  brokerDefinitions,
  completeInstallation,
  rolesFile,
  secretVariablesOf,
  type Installation,
} from '../compose/installation.ts';

const { values: options } = parseArgs({
  options: {
    database: { type: 'string' },
    'database-options': { type: 'string' },
    broker: { type: 'string' },
    'broker-tls': { type: 'boolean' },
    namespace: { type: 'string', default: 'saleschannel' },
    from: { type: 'string' },
    save: { type: 'string' },
  },
});
if (!options.database || !options.broker) throw new Error('--database and --broker are needed, each host:port');

const known = options.from ? (JSON.parse(readFileSync(options.from, 'utf8')) as Partial<Installation>) : {};
const installation = await completeInstallation(known);
if (options.save) writeFileSync(options.save, `${JSON.stringify(installation, null, 2)}\n`, { mode: 0o600 });

const servers = {
  database: options.database,
  databaseOptions: options['database-options'],
  broker: options.broker,
  brokerScheme: options['broker-tls'] ? ('amqps' as const) : ('amqp' as const),
};
const metadata = (name: string): object => ({
  name,
  namespace: options.namespace,
  labels: { 'app.kubernetes.io/part-of': 'saleschannel' },
});
const secret = (name: string, stringData: Record<string, string>): object => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: metadata(name),
  type: 'Opaque',
  stringData,
});

const documents = [
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: metadata('service-public-keys'),
    data: { SERVICE_PUBLIC_KEYS: JSON.stringify(installation.serviceKeys.publicKeys) },
  },
  ...Object.keys(installation.serviceKeys.privateKeys).map((name) =>
    secret(name, secretVariablesOf(name, installation, servers)),
  ),
  // Not read by the services: what the database server and the broker are to be given.
  secret('postgres-roles', { roles: rolesFile(installation) }),
  secret('rabbitmq-definitions', { 'definitions.json': JSON.stringify(brokerDefinitions(installation), null, 2) }),
];
process.stdout.write(documents.map((document) => `---\n${stringify(document, { lineWidth: 0 })}`).join(''));
