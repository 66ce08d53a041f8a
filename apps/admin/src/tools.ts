import {
  createAdministration,
  createPowers,
  lookUp,
  readAuditTrail,
  type Administration,
  type AuditedPart,
  type LookUp,
  type Powers,
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

/** What commands work with. Each of these reads the environment for what it uses, and for nothing else. */
export interface Tools {
  administration<T>(work: (administration: Administration) => Promise<T>): Promise<T>;
  reconciliation<T>(work: (reconciliation: Reconciliation) => Promise<T>): Promise<T>;
  powers<T>(work: (powers: Powers) => Promise<T>): Promise<T>;
  lookUp(id: string): Promise<LookUp>;
  /** The lines of one scope, chain after chain. */
  auditTrail(services: readonly AuditedService[], part: AuditedPart): AsyncGenerator<string>;
  deadLetters<T>(work: (deadLetters: DeadLetters) => Promise<T>): Promise<T>;
  removeBinding(queue: QueueName, type: string): Promise<void>;
  /** Writes the answer of a command as JSON. */
  print(answer: unknown): void;
  /** Writes one line of an answer that is as long as it gets. */
  printLine(line: string): void;
  /** Says what the operator should know beside the answer. */
  warn(text: string): void;
}

export interface ToolsOptions {
  /** The variables from which the named ones are to be read. Asked when a command runs. */
  variables(names: readonly string[]): NodeJS.ProcessEnv;
  write(text: string): void;
  writeError(text: string): void;
}

/** Beside an optional member, messages carry one that says that it is there: `_accountHolderId`. */
const withoutMarks = (name: string, value: unknown): unknown => (name.startsWith('_') ? undefined : value);

/** Where the services are that keep an audit trail. */
const audited = (values: Values<typeof auditEnvironment>): Readonly<Record<AuditedService, string>> => ({
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
    administration: async (work) => closing(createAdministration(await connect()), work),
    powers: async (work) => closing(createPowers(await connect()), work),
    async lookUp(id) {
      const values = read(lookUpEnvironment);
      const { 'registry-import': registryImport, webhooks, ...others } = audited(values);
      const [tasks, events] = [values.TASKS_ADDRESS, values.EVENTS_ADDRESS];
      // Answered in this order.
      const addresses = { ...others, tasks, events, 'registry-import': registryImport, webhooks };
      return lookUp({ addresses, tokens: await createCredentials('admin', values, silentLogger) }, id);
    },
    async *auditTrail(services, part) {
      const values = read(auditEnvironment);
      const tokens = await createCredentials('admin', values, silentLogger);
      yield* readAuditTrail({ addresses: audited(values), tokens }, services, part);
    },
    async reconciliation(work) {
      const values = read(reconciliationEnvironment);
      const tokens = await createCredentials('admin', values, silentLogger);
      return closing(createReconciliation({ address: values.INVENTORY_ADDRESS, tokens }), work);
    },
    async deadLetters(work) {
      const values = read(brokerEnvironment);
      return withDeadLetters(brokerUrl(values), values.AMQP_NAMESPACE, work);
    },
    async removeBinding(queue, type) {
      const values = read(brokerEnvironment);
      return removeBinding(brokerUrl(values), values.AMQP_NAMESPACE, queue, type);
    },
    print: (answer) => write(`${JSON.stringify(answer, withoutMarks, 2)}\n`),
    printLine: (line) => write(`${line}\n`),
    warn: (text) => writeError(`admin: ${text}\n`),
  };
}

async function closing<Connection extends { close(): void }, T>(
  connection: Connection,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  try {
    return await work(connection);
  } finally {
    connection.close();
  }
}
