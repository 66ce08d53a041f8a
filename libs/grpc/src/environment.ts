import {
  createServiceTokens,
  createTokenVerifier,
  privateKeySchema,
  publicKeysSchema,
  type KeyHolder,
  type ServiceTokens,
  type TokenVerifier,
} from '@saleschannel/auth';
import { env, type Environment, type Logger, type Values } from '@saleschannel/runtime';
import { readTls, tlsEnvironment, type Tls } from './tls.ts';

/** Variables of every service with its own identity and the public keys of all services. */
export const identityEnvironment = {
  SERVICE_PRIVATE_KEY: env.json('Ed25519 private key of this service (JWK)', privateKeySchema, { secret: true }),
  SERVICE_PUBLIC_KEYS: env.json(
    'public keys of all services (JWK Set, kid = <service> or <service>.<key>)',
    publicKeysSchema,
  ),
  ...tlsEnvironment,
} satisfies Environment;

export const grpcEnvironment = {
  ...identityEnvironment,
  GRPC_HOST: env.text(
    'address that the gRPC server listens on: a host, in-process:<name> for programs in the same process, or both ' +
      'separated by a comma',
    { default: '127.0.0.1' },
  ),
  GRPC_PORT: env.port('port that the gRPC server listens on; 0 chooses a free port', { default: '0' }),
  GRPC_HEALTH_PORT: env.optional(
    env.port('port that serves only health checks, in plaintext, for probes without a certificate'),
  ),
} satisfies Environment;

/** Creates the variable with the address of another service. */
export const serviceAddress = (service: string) =>
  env.text(`host:port of ${service}, or in-process:<name> in the same process`);

/**
 * Credentials that a program presents to the programs that it calls. Clients get tokens and TLS together, so that none
 * is created without TLS by mistake.
 */
export interface Credentials extends ServiceTokens {
  /** Undefined: plaintext. */
  readonly tls?: Tls | undefined;
}

export interface ServiceIdentity {
  /** Sent with outgoing calls. */
  readonly tokens: Credentials;
  /** Checks the tokens of incoming calls. */
  readonly verifier: TokenVerifier;
}

/** @throws Error for another program's private key, and for unusable TLS files */
export async function createCredentials(
  program: KeyHolder,
  values: Pick<Values<typeof identityEnvironment>, 'SERVICE_PRIVATE_KEY' | keyof typeof tlsEnvironment>,
  logger: Logger,
): Promise<Credentials> {
  const tokens = await createServiceTokens(program, values.SERVICE_PRIVATE_KEY);
  return { getToken: (receiver) => tokens.getToken(receiver), tls: readTls(values, logger) };
}

/**
 * Combines a service's own credentials and the keys that it trusts.
 * @throws Error for a private key whose public half is not among the public keys, since other services would not accept
 *   it either
 */
export async function createServiceIdentity(
  service: KeyHolder,
  values: Values<typeof identityEnvironment>,
  logger: Logger,
): Promise<ServiceIdentity> {
  const { SERVICE_PRIVATE_KEY: own, SERVICE_PUBLIC_KEYS: known } = values;
  const tokens = await createCredentials(service, values, logger);
  if (!known.keys.some(({ kid, x }) => kid === (own.kid ?? service) && x === own.x))
    throw new Error(
      'SERVICE_PUBLIC_KEYS does not hold the public half of SERVICE_PRIVATE_KEY. Distribute it to all services first.',
    );
  return { tokens, verifier: createTokenVerifier(known, service) };
}
