import { createClient, type Credentials, type ServiceClient } from '@saleschannel/grpc';

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

/** What the administration talks to. */
export interface Connection {
  /** `host:port` of each. */
  readonly addresses: { readonly identity: string; readonly rbac: string; readonly registryImport: string };
  /** Made with the key of the service name `admin`, which the services ask for. */
  readonly tokens: Credentials;
  /** How long a call waits for its answer, in milliseconds. By default as long as a user does. */
  readonly timeoutMs?: number;
}

export function createPowers({ addresses: { identity, rbac, registryImport }, ...rest }: Connection): Powers {
  const clients = {
    identity: createClient('identityAdministration', { address: identity, ...rest }),
    users: createClient('userDirectory', { address: identity, ...rest }),
    rbac: createClient('rbacAdministration', { address: rbac, ...rest }),
    accountHolders: createClient('accountHolderAdministration', { address: registryImport, ...rest }),
    directory: createClient('accountHolderDirectory', { address: registryImport, ...rest }),
    imports: createClient('importAdministration', { address: registryImport, ...rest }),
  };
  return {
    ...clients,
    close() {
      for (const client of Object.values(clients)) client.close();
    },
  };
}
