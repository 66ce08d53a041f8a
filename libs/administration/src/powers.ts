import { createClient, type Credentials, type ServiceClient } from '@saleschannel/grpc';
import type { Addresses } from './administration.ts';

/** What operators may see of users, keys, bindings, sales channels and account holders, and take away from them. */
export interface Powers {
  readonly identity: ServiceClient<'identityAdministration'>;
  readonly users: ServiceClient<'userDirectory'>;
  readonly rbac: ServiceClient<'rbacAdministration'>;
  readonly accountHolders: ServiceClient<'accountHolderAdministration'>;
  readonly directory: ServiceClient<'accountHolderDirectory'>;
  readonly imports: ServiceClient<'importAdministration'>;
  close(): void;
}

/** @param connection.tokens made with the key of the service name `admin`, which the services ask for */
export function createPowers({ addresses, tokens }: { addresses: Addresses; tokens: Credentials }): Powers {
  const clients = {
    identity: createClient('identityAdministration', { address: addresses.identity, tokens }),
    users: createClient('userDirectory', { address: addresses.identity, tokens }),
    rbac: createClient('rbacAdministration', { address: addresses.rbac, tokens }),
    accountHolders: createClient('accountHolderAdministration', { address: addresses.registryImport, tokens }),
    directory: createClient('accountHolderDirectory', { address: addresses.registryImport, tokens }),
    imports: createClient('importAdministration', { address: addresses.registryImport, tokens }),
  };
  return {
    ...clients,
    close() {
      for (const client of Object.values(clients)) client.close();
    },
  };
}
