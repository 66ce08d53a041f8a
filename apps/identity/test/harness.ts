import { randomBytes } from 'node:crypto';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
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
        GetSalesChannel: {
          callers: [],
          access: serviceOnly,
          handler: () => Promise.reject(new Error('not asked here')),
        },
      }),
    ],
  });
  await server.start();
  return { rights, address: server.address, stop: () => server.stop() };
}

/** The way to a server, which tests can close. */
export async function startDoor(
  url: string,
): Promise<{ url: string; setOpen(isOpen: boolean): void; stop(): Promise<void> }> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let open = true;
  const server = createServer((socket) => {
    if (!open) return void socket.destroy();
    const onward = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const door = new URL(url);
  door.hostname = '127.0.0.1';
  door.port = String((server.address() as AddressInfo).port);
  const closeAll = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    url: door.toString(),
    setOpen(isOpen) {
      open = isOpen;
      if (!isOpen) closeAll();
    },
    async stop() {
      closeAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A clock that tests move; real until then. */
export function movableClock(): Clock & { ahead(ms: number): void } {
  let offsetMs = 0;
  return { now: () => new Date(Date.now() + offsetMs), ahead: (ms) => void (offsetMs = ms) };
}

export interface HarnessOptions {
  clock?: Clock;
  databaseUrl?: string;
}

export async function startHarness(options: HarnessOptions = {}) {
  const issuer = await startIssuer();
  const bindings = await startBindingDirectory();
  const namespace = testNamespace();
  const service = await startTestService(createService(options.clock), {
    namespace,
    ...(options.databaseUrl === undefined ? {} : { databaseUrl: options.databaseUrl }),
    variables: {
      RBAC_ADDRESS: bindings.address,
      OIDC_ISSUER: issuer.issuer,
      OIDC_AUDIENCE: AUDIENCE,
      API_KEY_PEPPER: randomBytes(32).toString('base64'),
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
