import { createClient, createServiceIdentity, createServiceServer } from '@saleschannel/grpc';
import { InMemoryAnswers } from '@saleschannel/idempotency/in-memory';
import { composeApp, type ServiceDefinition } from '@saleschannel/runtime';
import { environment } from './environment.ts';
import { RegistryKey, createRegistry } from './neighbours/registry.ts';
import { createRegistrations } from './rpc/index.ts';

const NAME = 'sandbox';

export const service: ServiceDefinition<typeof environment> = {
  name: NAME,
  environment,
  async createApp(values, logger) {
    if (!values.SANDBOX) throw new Error('This installation is not a sandbox: SANDBOX is not true.');
    const identity = await createServiceIdentity(NAME, values, logger);
    const { tokens } = identity;
    const users = createClient('userDirectory', { address: values.IDENTITY_ADDRESS, tokens });
    const holders = createClient('accountHolderDirectory', { address: values.REGISTRY_IMPORT_ADDRESS, tokens });
    const holderAdministration = createClient('accountHolderAdministration', {
      address: values.REGISTRY_IMPORT_ADDRESS,
      tokens,
    });
    const traders = createClient('traders', { address: values.TRADERS_ADDRESS, tokens });
    const tasks = createClient('tasks', { address: values.TASKS_ADDRESS, tokens });
    const rbac = createClient('rbac', { address: values.RBAC_ADDRESS, tokens });
    const endpoints = createClient('endpointSandbox', { address: values.WEBHOOKS_ADDRESS, tokens });
    const key = new RegistryKey({ users, holders, holderAdministration });
    const registry = createRegistry(values.SANDBOX_API_URL, key);
    const answers = new InMemoryAnswers();
    const context = { registry, traders, tasks, rbac, endpoints, holderAdministration, answers };
    const server = createServiceServer(values, identity, createRegistrations(context), logger);
    return composeApp([], server, [users, holders, holderAdministration, traders, tasks, rbac, endpoints]);
  },
};
