import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { env, type Environment } from './environment.ts';
import type { App } from './service.ts';

/** What every server that is reached by HTTP from outside reads. Spread it into the service's own declaration. */
export const httpEnvironment = {
  DRAIN_SECONDS: env.integer(
    'time that a stopping process continues to serve HTTP requests; each response closes its connection',
    { default: '0', min: 0, max: 8 },
  ),
} satisfies Environment;

/** How long requests under way may take once connections are closed. With a drain before, less than STOP_LIMIT_MS. */
const CLOSING_LIMIT_MS = 15_000;
const CLOSING_STEP_MS = 100;

export interface HttpAppOptions {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** The variable that the port comes from. */
  readonly portVariable: string;
  readonly drainSeconds: number;
  /** Replaced by tests. */
  readonly wait?: (ms: number) => Promise<unknown>;
  /** Told to stop, it still answers: from now on it says that it is not ready. */
  onDraining(): void;
  /** Connections are about to be closed: ends what does not end by itself. */
  onClosing(): void;
}

/**
 * The life of an HTTP server, with an end that loses no request. A connection that is closed while it stands idle may
 * just be given a request by its client, who cannot tell whether that was carried out. So clients are told before, by
 * the last answer (RFC 9112 §9.6), and what is idle for all the time of draining is closed after that.
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
      const isTaken = error.code === 'EADDRINUSE';
      const taken = `port ${port} of ${host} is taken: set ${portVariable} to a free one`;
      reject(isTaken ? new Error(taken, { cause: error }) : error);
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
    // Browsers open some in advance. Node takes them for busy before their first request.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  };
  const step = setInterval(closeIdle, CLOSING_STEP_MS);
  const limit = setTimeout(() => server.closeAllConnections(), CLOSING_LIMIT_MS);
  await closed;
  clearInterval(step);
  clearTimeout(limit);
}
