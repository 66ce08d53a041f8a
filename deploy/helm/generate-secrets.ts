// npm run helm:secrets -- --help
//
// Prints the Secrets and the ConfigMap of the charts, for "kubectl apply -f -" or for sealing. Any other store of
// secrets works as well.
import { readFileSync, writeFileSync } from 'node:fs';
import {
  brokerDefinitions,
  toBrokerUrl,
  changeSecrets,
  databaseServices,
  programsWithKey,
  exitOnError,
  parseSecrets,
  rolesFile,
  secretCommand,
  programsWithSecrets,
  toSecretParts,
  listSecrets,
  listMigrationSecrets,
  toTlsFiles,
  type SecretChange,
} from '@saleschannel/installation';
import { stringify } from 'yaml';

interface Options extends SecretChange {
  readonly database: string;
  readonly databaseOptions: string;
  readonly broker: string;
  readonly brokerPlaintext?: boolean;
  readonly namespace: string;
  readonly from?: string;
  readonly save?: string;
  readonly withoutCertificates?: boolean;
}

const command = secretCommand('npm run helm:secrets --')
  .description('Prints the Secrets and the ConfigMap that the charts refer to.')
  .requiredOption('--database <host:port>', 'address of PostgreSQL')
  .option('--database-options <query>', 'query string of the database URLs', 'sslmode=verify-full')
  .requiredOption('--broker <host:port>', 'address of RabbitMQ')
  .option('--broker-plaintext', 'connect to the broker without TLS')
  .option('--namespace <name>', 'namespace of the installation', 'saleschannel')
  .option('--without-certificates', 'omit the TLS certificates of services, which for example cert-manager issues')
  .option('--from <file>', 'existing secrets, as --save wrote them')
  .option('--save <file>', 'file to store the secrets in for the next run; keep it safe')
  .parse();
const options = command.opts<Options>();
const { rotate, listener, removeListener } = options;
const changes = Object.entries({ rotate, listener, 'remove-listener': removeListener });
const change = changes.find(([, value]) => value !== undefined)?.[0];
if (change !== undefined && !(options.from && options.save))
  command.error(`error: --${change} requires --from with the existing secrets and --save for the next run`);

const secrets = await exitOnError(command, async () => {
  const known = options.from ? parseSecrets(readFileSync(options.from, 'utf8')) : {};
  const changed = await changeSecrets(known, options);
  if (options.save) writeFileSync(options.save, `${JSON.stringify(changed, null, 2)}\n`, { mode: 0o600 });
  return changed;
});

// Plaintext needs an explicit option.
const broker = `${options.brokerPlaintext ? 'amqp' : 'amqps'}://${options.broker}`;
const parts = toSecretParts(secrets, {
  database: `postgres://${options.database}?${options.databaseOptions}`,
  broker,
});

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
  ...programsWithSecrets.map((program) => secret(program, byVariable(listSecrets(program, parts)))),
  ...databaseServices.map((service) => secret(`migrate-${service}`, byVariable(listMigrationSecrets(service, parts)))),
  ...(options.withoutCertificates
    ? []
    : programsWithKey.map((program) =>
        secret(`${program}-tls`, toTlsFiles(program, secrets.tls), 'kubernetes.io/tls'),
      )),
  // For operators of external listeners.
  ...Object.keys(secrets.brokerListeners).map((name) =>
    secret(`listener-${name}`, { AMQP_URL: toBrokerUrl(name, secrets, broker) }),
  ),
  // For the database server and the broker.
  secret('postgres-roles', { roles: rolesFile(secrets) }),
  secret('rabbitmq-definitions', { 'definitions.json': JSON.stringify(brokerDefinitions(secrets), null, 2) }),
];
process.stdout.write(documents.map((document) => `---\n${stringify(document, { lineWidth: 0 })}`).join(''));
