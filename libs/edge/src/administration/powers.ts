import { createClient, type Credentials, type ServiceClient } from '@saleschannel/grpc';

export interface OperatorClients {
  readonly identity: ServiceClient<'identityAdministration'>;
  readonly users: ServiceClient<'userDirectory'>;
  readonly rbac: ServiceClient<'rbacAdministration'>;
  readonly accountHolders: ServiceClient<'accountHolderAdministration'>;
  readonly directory: ServiceClient<'accountHolderDirectory'>;
  readonly imports: ServiceClient<'importAdministration'>;
  close(): void;
}

export interface Connection {
  readonly addresses: { readonly identity: string; readonly rbac: string; readonly registryImport: string };
  /** Credentials of `admin`, which the services require. */
  readonly tokens: Credentials;
  /** Deadline of calls, in milliseconds. By default that of a user's request. */
  readonly timeoutMs?: number;
}

export function createOperatorClients({
  addresses: { identity, rbac, registryImport },
  ...rest
}: Connection): OperatorClients {
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
