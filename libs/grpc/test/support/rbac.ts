import { createTokenVerifier } from '@saleschannel/auth';
import { silentLogger } from '@saleschannel/runtime';
import { neighbour, publicKeys } from '@saleschannel/testing';
import {
  createClient,
  createGrpcServer,
  type Credentials,
  type GrpcServer,
  type ServiceClient,
  type Tls,
} from '../../src/index.ts';

const TIMEOUT_MS = 20_000;

export interface Rbac extends GrpcServer {
  /** Calls that arrived. */
  readonly calls: number;
}

interface Options {
  readonly tls?: Tls;
  readonly healthPort?: number;
  /** Calls for a sales channel named 'slow' are answered when it resolves. */
  readonly slow?: Promise<void>;
}

/** Starts a replica of the rbac service, with a repeatable RPC and one that is not, for the service traders. */
export async function startRbac({ slow, ...options }: Options = {}): Promise<Rbac> {
  let calls = 0;
  const GetSalesChannel = async ({ salesChannelId: id }: { salesChannelId: string }) => {
    calls += 1;
    if (id === 'slow') await slow;
    return { id, name: 'One' };
  };
  const CreateSalesChannel = ({ name }: { name: string }) => {
    calls += 1;
    return Promise.resolve({ id: 'c1', name });
  };
  const server = createGrpcServer({
    host: '127.0.0.1',
    port: 0,
    services: [
      neighbour('bindingDirectory', ['traders'], { GetSalesChannel }),
      neighbour('rbacAdministration', ['traders'], { CreateSalesChannel }),
    ],
    tokens: createTokenVerifier(publicKeys, 'rbac'),
    logger: silentLogger,
    ...options,
  });
  await server.start();
  return Object.create(server, { calls: { get: () => calls } }) as Rbac;
}

export const rbacClient = (
  address: string,
  tokens: Credentials,
  options: { readonly ageMs?: number } = {},
): ServiceClient<'bindingDirectory'> =>
  createClient('bindingDirectory', { address, tokens, timeoutMs: TIMEOUT_MS, ...options });

export const administrationClient = (
  address: string,
  tokens: Credentials,
  options: { readonly ageMs?: number } = {},
): ServiceClient<'rbacAdministration'> =>
  createClient('rbacAdministration', { address, tokens, timeoutMs: TIMEOUT_MS, ...options });
