import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { BackendError } from './errors.ts';

const LOOPBACK = '127.0.0.1';
/**
 * Below the range from which Linux takes the ports of outgoing connections (32768 and up), so that none of those takes
 * a chosen port.
 */
const LOWEST_PORT = 15_000;
const HIGHEST_PORT = 32_000;
const ATTEMPTS = 100;
/**
 * A port that was chosen is listened on a moment later, and until then another process could choose it too. So each
 * process chooses in a part of its own: those that are started one after another have different ones.
 */
const PARTS = 16;
const PORTS_OF_PART = Math.floor((HIGHEST_PORT - LOWEST_PORT) / PARTS);
const FIRST_OF_PART = LOWEST_PORT + (process.pid % PARTS) * PORTS_OF_PART;

const handedOut = new Set<number>();

type ListenFailure = { readonly code: string | undefined };

const tryToListen = (port: number, host: string): Promise<ListenFailure | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve({ code: error.code }));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });

/** Whether this process could listen on the port now. */
export const isPortFree = async (port: number, host: string = LOOPBACK): Promise<boolean> =>
  (await tryToListen(port, host)) === undefined;

/** A TCP port of 127.0.0.1 that nobody listens on. One process is never given the same port twice. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(FIRST_OF_PART, FIRST_OF_PART + PORTS_OF_PART);
    if (!handedOut.has(port) && (await isPortFree(port))) {
      handedOut.add(port);
      return port;
    }
  }
  throw new BackendError(
    `No free port of ${LOOPBACK} in ${PORTS_OF_PART} from ${FIRST_OF_PART} on after ${ATTEMPTS} attempts.`,
  );
}

/**
 * Refuses a configured port that cannot be listened on.
 * @param variableName the environment variable that sets the port, if one does; the error names it
 */
export async function assertPortFree(port: number, variableName?: string, host: string = LOOPBACK): Promise<void> {
  const failure = await tryToListen(port, host);
  if (!failure) return;
  const reason =
    failure.code === 'EADDRINUSE'
      ? 'is taken by another process'
      : failure.code === 'EACCES'
        ? 'may not be opened by this user'
        : `cannot be opened (${failure.code ?? 'unknown error'})`;
  if (!variableName) throw new BackendError(`Port ${port} of ${host} ${reason}.`);
  throw new BackendError(`Port ${port} of ${host} (${variableName}) ${reason}. Set ${variableName} to a free port.`);
}
