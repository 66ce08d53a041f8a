import { createServiceTokens } from '@saleschannel/auth';
import { removeBinding, withDeadLetters, type DeadLetters, type QueueName } from '@saleschannel/messaging';
import { readEnvironment } from '@saleschannel/runtime';
import { createAdministration, type Administration } from './administration.ts';
import { brokerEnvironment, reconciliationEnvironment, servicesEnvironment } from './environment.ts';
import { createReconciliation, type Reconciliation } from './reconciliation.ts';

/** What commands work with. Each of these reads the environment for what it uses, and for nothing else. */
export interface Tools {
  administration<T>(work: (administration: Administration) => Promise<T>): Promise<T>;
  reconciliation<T>(work: (reconciliation: Reconciliation) => Promise<T>): Promise<T>;
  deadLetters<T>(work: (deadLetters: DeadLetters) => Promise<T>): Promise<T>;
  removeBinding(queue: QueueName, type: string): Promise<void>;
  /** Writes the answer of a command as JSON. */
  print(answer: unknown): void;
}

/** @param environment is asked when a command runs */
export const createTools = (environment: () => NodeJS.ProcessEnv, write: (text: string) => void): Tools => ({
  async administration(work) {
    const values = readEnvironment(servicesEnvironment, environment());
    const administration = createAdministration({
      addresses: {
        identity: values.IDENTITY_ADDRESS,
        rbac: values.RBAC_ADDRESS,
        registryImport: values.REGISTRY_IMPORT_ADDRESS,
      },
      tokens: await createServiceTokens('admin', values.SERVICE_PRIVATE_KEY),
    });
    try {
      return await work(administration);
    } finally {
      administration.close();
    }
  },
  async reconciliation(work) {
    const values = readEnvironment(reconciliationEnvironment, environment());
    const tokens = await createServiceTokens('admin', values.SERVICE_PRIVATE_KEY);
    const reconciliation = createReconciliation({ address: values.INVENTORY_ADDRESS, tokens });
    try {
      return await work(reconciliation);
    } finally {
      reconciliation.close();
    }
  },
  async deadLetters(work) {
    const { AMQP_URL: url, AMQP_NAMESPACE: namespace } = readEnvironment(brokerEnvironment, environment());
    return withDeadLetters(url, namespace, work);
  },
  async removeBinding(queue, type) {
    const { AMQP_URL: url, AMQP_NAMESPACE: namespace } = readEnvironment(brokerEnvironment, environment());
    return removeBinding(url, namespace, queue, type);
  },
  print: (answer) => write(`${JSON.stringify(answer, null, 2)}\n`),
});
