import { randomBytes } from 'node:crypto';
import { createTokenVerifier, serviceOnly, type Principal, type Role } from '@saleschannel/auth';
import { services } from '@saleschannel/contracts';
import { DomainError } from '@saleschannel/errors';
import { createGrpcServer, implement } from '@saleschannel/grpc';
import type { Clock } from '@saleschannel/primitives';
import { silentLogger } from '@saleschannel/runtime';
import { callAs, identityVariables, startTestService, testNamespace } from '@saleschannel/testing';
import { Client } from 'pg';
import { createService } from '../src/app.ts';
import { AUDIENCE, startIssuer } from './issuer.ts';

const verifier = createTokenVerifier(JSON.parse(identityVariables('identity')['SERVICE_PUBLIC_KEYS']!) as never);

/** What the service that is asked for rights answers; an error stands for a fault of it. */
export type Rights = { salesChannelId: string; roles: Role[] } | DomainError;

/** The other service, as far as identity knows it. */
async function startBindingDirectory() {
  const rights = new Map<string, Rights>();
  const server = createGrpcServer({
    host: '127.0.0.1',
    port: 0,
    tokens: verifier,
    logger: silentLogger,
    services: [
      implement(services.bindingDirectory, {
        ReadBinding: {
          callers: ['identity'],
          access: serviceOnly,
          async handler({ userId }) {
            const found = rights.get(userId) ?? { salesChannelId: '', roles: [] };
            if (found instanceof DomainError) throw found;
            return { userId, ...found };
          },
        },
        GetSalesChannel: { callers: [], access: serviceOnly, handler: () => Promise.reject(new Error('not asked here')) },
      }),
    ],
  });
  await server.start();
  return { rights, address: server.address, stop: () => server.stop() };
}

/** A clock that tests move; real until then. */
export function movableClock(): Clock & { ahead(ms: number): void } {
  let offsetMs = 0;
  return { now: () => new Date(Date.now() + offsetMs), ahead: (ms) => void (offsetMs = ms) };
}

export interface HarnessOptions {
  clock?: Clock;
  variables?: Record<string, string>;
  databaseUrl?: string;
}

export async function startHarness(options: HarnessOptions = {}) {
  const issuer = await startIssuer();
  const bindings = await startBindingDirectory();
  const namespace = testNamespace();
  const service = await startTestService(createService(options.clock), {
    namespace,
    variables: {
      RBAC_ADDRESS: bindings.address,
      OIDC_ISSUER: issuer.issuer,
      OIDC_AUDIENCE: AUDIENCE,
      API_KEY_PEPPER: randomBytes(32).toString('base64'),
      ...options.variables,
    },
  });
  const gateway = await callAs('gateway', services.identity, service.address);
  const admin = await callAs('admin', services.userDirectory, service.address);
  const sql = new Client({ connectionString: service.databaseUrl });
  await sql.connect();

  return {
    issuer,
    bindings,
    namespace,
    service,
    gateway,
    admin,
    sql,
    /** The principal behind a credential, as every other service sees it. */
    async authenticate(request: Parameters<typeof gateway.Authenticate>[0]): Promise<Principal> {
      const { principalToken } = await gateway.Authenticate(request);
      return verifier.principal(principalToken);
    },
    async stop() {
      gateway.close();
      admin.close();
      await sql.end();
      await service.stop();
      await bindings.stop();
      await issuer.stop();
    },
  };
}

export type Harness = Awaited<ReturnType<typeof startHarness>>;
