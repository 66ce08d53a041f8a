import {
  createAdministration,
  createOperatorClients,
  lookUp,
  readAuditTrail,
  type Administration,
  type AuditSelection,
  type LookUpResult,
  type OperatorClients,
} from '@saleschannel/edge/administration';
import type { AuditedService } from '@saleschannel/contracts';
import { createCredentials } from '@saleschannel/grpc';
import { brokerUrl, removeBinding, withDeadLetters, type DeadLetters, type QueueName } from '@saleschannel/messaging';
import { readEnvironment, silentLogger, type Environment, type Values } from '@saleschannel/runtime';
import {
  auditEnvironment,
  brokerEnvironment,
  lookUpEnvironment,
  reconciliationEnvironment,
  servicesEnvironment,
} from './environment.ts';
import { createReconciliation, type Reconciliation } from './reconciliation.ts';

/** Dependencies of the commands. Each reads only the variables that it uses. */
export interface Tools {
  administration<T>(work: (administration: Administration) => Promise<T>): Promise<T>;
  reconciliation<T>(work: (reconciliation: Reconciliation) => Promise<T>): Promise<T>;
  powers<T>(work: (powers: OperatorClients) => Promise<T>): Promise<T>;
  lookUp(id: string): Promise<LookUpResult>;
  /** Yields the lines of one scope, chain by chain. */
  auditTrail(services: readonly AuditedService[], part: AuditSelection): AsyncGenerator<string>;
  deadLetters<T>(work: (deadLetters: DeadLetters) => Promise<T>): Promise<T>;
  removeBinding(queue: QueueName, type: string): Promise<void>;
  /** Prints the answer of a command as JSON. */
  print(answer: unknown): void;
  /** Prints one line of an answer of unlimited length. */
  printLine(line: string): void;
  /** Prints a warning in addition to the answer. */
  warn(text: string): void;
}

export interface ToolsOptions {
  /** Returns the variables that contain the named ones. Called when a command runs. */
  variables(names: readonly string[]): NodeJS.ProcessEnv;
  write(text: string): void;
  writeError(text: string): void;
}

/** Drops the members that mark optional ones as present in messages, such as `_accountHolderId`. */
const withoutMarkers = (name: string, value: unknown): unknown => (name.startsWith('_') ? undefined : value);

/** Addresses of the services with an audit trail. */
const toAuditedAddresses = (values: Values<typeof auditEnvironment>): Readonly<Record<AuditedService, string>> => ({
  identity: values.IDENTITY_ADDRESS,
  rbac: values.RBAC_ADDRESS,
  traders: values.TRADERS_ADDRESS,
  inventory: values.INVENTORY_ADDRESS,
  'registry-import': values.REGISTRY_IMPORT_ADDRESS,
  webhooks: values.WEBHOOKS_ADDRESS,
});

export function createTools({ variables, write, writeError }: ToolsOptions): Tools {
  const read = <E extends Environment>(environment: E) =>
    readEnvironment(environment, variables(Object.keys(environment)));

  const connect = async () => {
    const values = read(servicesEnvironment);
    return {
      addresses: {
        identity: values.IDENTITY_ADDRESS,
        rbac: values.RBAC_ADDRESS,
        registryImport: values.REGISTRY_IMPORT_ADDRESS,
      },
      tokens: await createCredentials('admin', values, silentLogger),
    };
  };

  return {
    administration: async (work) => withConnection(createAdministration(await connect()), work),
    powers: async (work) => withConnection(createOperatorClients(await connect()), work),
    async lookUp(id) {
      const values = read(lookUpEnvironment);
      const { 'registry-import': registryImport, webhooks, ...others } = toAuditedAddresses(values);
      const [tasks, events] = [values.TASKS_ADDRESS, values.EVENTS_ADDRESS];
      // The order of the answer.
      const addresses = { ...others, tasks, events, 'registry-import': registryImport, webhooks };
      return lookUp({ addresses, tokens: await createCredentials('admin', values, silentLogger) }, id);
    },
    async *auditTrail(services, part) {
      const values = read(auditEnvironment);
      const tokens = await createCredentials('admin', values, silentLogger);
      yield* readAuditTrail({ addresses: toAuditedAddresses(values), tokens }, services, part);
    },
    async reconciliation(work) {
      const values = read(reconciliationEnvironment);
      const tokens = await createCredentials('admin', values, silentLogger);
      return withConnection(createReconciliation({ address: values.INVENTORY_ADDRESS, tokens }), work);
    },
    async deadLetters(work) {
      const values = read(brokerEnvironment);
      return withDeadLetters(brokerUrl(values), values.AMQP_NAMESPACE, work);
    },
    async removeBinding(queue, type) {
      const values = read(brokerEnvironment);
      return removeBinding(brokerUrl(values), values.AMQP_NAMESPACE, queue, type);
    },
    print: (answer) => write(`${JSON.stringify(answer, withoutMarkers, 2)}\n`),
    printLine: (line) => write(`${line}\n`),
    warn: (text) => writeError(`admin: ${text}\n`),
  };
}

async function withConnection<Connection extends { close(): void }, T>(
  connection: Connection,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  try {
    return await work(connection);
  } finally {
    connection.close();
  }
}
