import { createClient, type Credentials, type ServiceClient } from '@saleschannel/grpc';
import type { Addresses } from './administration.ts';

/** What operators may see of users, keys, bindings, sales channels and account holders, and take away from them. */
export interface Powers {
  readonly identity: ServiceClient<'identityAdministration'>;
  readonly rbac: ServiceClient<'rbacAdministration'>;
  readonly accountHolders: ServiceClient<'accountHolderAdministration'>;
  close(): void;
}

/** @param connection.tokens made with the key of the service name `admin`, which the services ask for */
export function createPowers({ addresses, tokens }: { addresses: Addresses; tokens: Credentials }): Powers {
  const identity = createClient('identityAdministration', { address: addresses.identity, tokens });
  const rbac = createClient('rbacAdministration', { address: addresses.rbac, tokens });
  const accountHolders = createClient('accountHolderAdministration', { address: addresses.registryImport, tokens });
  return {
    identity,
    rbac,
    accountHolders,
    close() {
      identity.close();
      rbac.close();
      accountHolders.close();
    },
  };
}
