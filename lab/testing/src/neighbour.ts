import {
  createTokenVerifier,
  keyHolders,
  serviceOnlyRule,
  type KeyHolder,
  type TokenVerifier,
} from '@saleschannel/auth';
import { services } from '@saleschannel/contracts';
import {
  createGrpcServer,
  type GrpcServer,
  type Registration,
  type RpcDefinitions,
  type ServiceKey,
} from '@saleschannel/grpc';
import { silentLogger } from '@saleschannel/runtime';
import { publicKeys } from './calls.ts';

type Handlers<K extends ServiceKey> = {
  readonly [Name in keyof RpcDefinitions<K, unknown>]?: ReturnType<RpcDefinitions<K, unknown>[Name]['handler']>;
};

/** Implements some RPCs of another team's service. Its other RPCs reject every caller. */
export function neighbour<K extends ServiceKey>(
  key: K,
  callers: readonly string[],
  handlers: Handlers<K>,
): Registration {
  const names = Object.keys(services[key].definition);
  const given = handlers as Readonly<Record<string, unknown>>;
  const rpcs = names.map((name) => [
    name,
    { access: serviceOnlyRule, callers: given[name] ? callers : [], handler: given[name] },
  ]);
  return { contract: services[key], rpcs: Object.fromEntries(rpcs) as Registration['rpcs'] };
}

/** Shared per program by all neighbours of a test file, because a verifier is large and slow to create. */
const verifiersOfAll = new Map<KeyHolder, TokenVerifier>();

function verifierFor(owner: KeyHolder): TokenVerifier {
  const verifier = verifiersOfAll.get(owner) ?? createTokenVerifier(publicKeys, owner);
  verifiersOfAll.set(owner, verifier);
  return verifier;
}

/** One server represents several programs here, so it accepts the tokens of all of them. */
function getVerifier(registrations: readonly Registration[]): TokenVerifier {
  const owners = new Set(
    registrations.flatMap(({ contract }) => (contract.owner as KeyHolder | undefined) ?? keyHolders),
  );
  const verifiers = [...owners].map(verifierFor);
  const byAny = async <T>(check: (verifier: TokenVerifier) => Promise<T>): Promise<T> => {
    const results = await Promise.allSettled(verifiers.map(check));
    const refusal = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
    for (const result of results) if (result.status === 'fulfilled') return result.value;
    throw refusal?.reason;
  };
  return {
    verifyPrincipal: (token) => byAny((verifier) => verifier.verifyPrincipal(token)),
    verifyService: (token) => byAny((verifier) => verifier.verifyService(token)),
  };
}

/** Serves implementations of other services on a free port. */
export const startNeighbours = (...registrations: Registration[]): Promise<GrpcServer> =>
  startNeighboursAt('127.0.0.1', ...registrations);

/** The same at a host or at `in-process:<name>`. */
export async function startNeighboursAt(host: string, ...registrations: Registration[]): Promise<GrpcServer> {
  const server = createGrpcServer({
    host,
    port: 0,
    services: registrations,
    tokens: getVerifier(registrations),
    logger: silentLogger,
  });
  await server.start();
  return server;
}
