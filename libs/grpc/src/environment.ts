import {
  createServiceTokens,
  createTokenVerifier,
  privateKeySchema,
  publicKeysSchema,
  type ServiceTokens,
  type TokenVerifier,
} from '@saleschannel/auth';
import { env, type Environment, type Values } from '@saleschannel/runtime';

/** What every service reads to know the others and to be known by them. */
export const identityEnvironment = {
  SERVICE_PRIVATE_KEY: env.json("this service's Ed25519 private key (JWK)", privateKeySchema, { secret: true }),
  SERVICE_PUBLIC_KEYS: env.json('the public keys of all services (JWK Set, kid = service name)', publicKeysSchema),
} satisfies Environment;

export const grpcEnvironment = {
  ...identityEnvironment,
  GRPC_HOST: env.text('address the gRPC server listens at', { default: '127.0.0.1' }),
  GRPC_PORT: env.port('port the gRPC server listens at; 0 takes a free one', { default: '0' }),
} satisfies Environment;

/** A variable that says where another service is. */
export const serviceAddress = (service: string) => env.text(`host:port of ${service}`);

export interface ServiceIdentity {
  /** Shown with calls that this service makes. */
  readonly tokens: ServiceTokens;
  /** Checks the tokens of calls that it takes. */
  readonly verifier: TokenVerifier;
}

export async function createServiceIdentity(
  service: string,
  values: Values<typeof identityEnvironment>,
): Promise<ServiceIdentity> {
  return {
    tokens: await createServiceTokens(service, values.SERVICE_PRIVATE_KEY),
    verifier: createTokenVerifier(values.SERVICE_PUBLIC_KEYS),
  };
}
