import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { env, type Environment } from './environment.ts';
import type { App } from './service.ts';

const CONTACT = /^(?:mailto:[^\s@<>]{1,64}@[^\s@<>]{1,255}|https:\/\/[^\s<>]{1,2000})$/;

/** Variables of every public server. */
export const securityContactEnvironment = {
  SECURITY_CONTACT: env.optional(
    env.parsed(
      'where to report a vulnerability, as mailto:… or https://…; published in /.well-known/security.txt, which ' +
        'does not exist when this is unset',
      z.string().regex(CONTACT, 'must be mailto: with an address, or an https URL'),
    ),
  ),
} satisfies Environment;

export const SECURITY_TXT = '/.well-known/security.txt';
export const SECURITY_TXT_TYPE = 'text/plain; charset=utf-8';
/** Validity of the file. RFC 9116 recommends less than a year. */
const LIFETIME_MS = 180 * 24 * 3_600_000;

/**
 * Returns the text of security.txt (RFC 9116).
 * @param now milliseconds since 1970
 */
export const formatSecurityTxt = (contact: string, now: number): string =>
  [
    `Contact: ${contact}`,
    `Expires: ${new Date(now + LIFETIME_MS).toISOString().slice(0, 10)}T00:00:00Z`,
    'Preferred-Languages: en',
    '',
  ].join('\n');

/** Variables of every public HTTP server. Spread them into the declaration of the service. */
export const httpEnvironment = {
  DRAIN_SECONDS: env.integer(
    'time that a stopping process continues to serve HTTP requests; each response closes its connection',
    { default: '0', min: 0, max: 8 },
  ),
} satisfies Environment;

/** Time limit of open requests after the drain. Both together must stay below STOP_LIMIT_MS. */
const CLOSING_LIMIT_MS = 15_000;
const CLOSING_STEP_MS = 100;

export interface HttpAppOptions {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** Variable of the port, for error messages. */
  readonly portVariable: string;
  readonly drainSeconds: number;
  /** Replaced by tests. */
  readonly wait?: (ms: number) => Promise<unknown>;
  /** Called when draining starts. The server still answers, but must report that it is not ready. */
  onDraining(): void;
  /** Called before connections close, to end streams that do not end by themselves. */
  onClosing(): void;
}

/**
 * Runs an HTTP server and stops it without losing a request. A client may be sending a request on an idle connection
 * while the server closes it, and cannot know whether the request was executed. So while draining, each response
 * announces the end of its connection (RFC 9112 section 9.6), and connections that stay idle close afterwards.
 */
export function createHttpApp(server: Server, options: HttpAppOptions): App {
  const { host, port, drainSeconds, wait = delay, onDraining, onClosing } = options;
  const unanswered = new Set<ServerResponse>();
  const connections = new Set<Socket>();
  let isDraining = false;
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  server.prependListener('request', (_request, response: ServerResponse) => {
    if (isDraining) response.shouldKeepAlive = false;
    unanswered.add(response);
    response.once('close', () => unanswered.delete(response));
  });
  return {
    get address() {
      const bound = server.address() as AddressInfo | null;
      return `${host}:${bound?.port ?? port}`;
    },
    start: () => listen(server, options),
    async stop() {
      isDraining = true;
      onDraining();
      for (const response of unanswered) if (!response.headersSent) response.shouldKeepAlive = false;
      if (server.listening) await wait(drainSeconds * 1_000);
      onClosing();
      if (server.listening) await close(server, connections);
    },
  };
}

function listen(server: Server, { host, port, portVariable }: HttpAppOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      const isInUse = error.code === 'EADDRINUSE';
      const message = `Port ${port} of ${host} is in use. Set ${portVariable} to a free port.`;
      reject(isInUse ? new Error(message, { cause: error }) : error);
    };
    server.once('error', onError);
    server.listen(port, host, () => {
      server.off('error', onError);
      resolve();
    });
  });
}

async function close(server: Server, connections: ReadonlySet<Socket>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const closeIdle = (): void => {
    server.closeIdleConnections();
    // Browsers open connections in advance. Node counts them as active until their first request.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  };
  const step = setInterval(closeIdle, CLOSING_STEP_MS);
  const limit = setTimeout(() => server.closeAllConnections(), CLOSING_LIMIT_MS);
  await closed;
  clearInterval(step);
  clearTimeout(limit);
}
