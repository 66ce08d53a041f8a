import { randomInt } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { BackendError } from './errors.ts';
import { changeOwner, type ServerUser } from './system-user.ts';

const LOOPBACK = '127.0.0.1';
/** Below Linux's range for ports of outgoing connections (32768 and up), which could otherwise take a chosen port. */
const LOWEST_PORT = 15_000;
const HIGHEST_PORT = 32_000;
const ATTEMPTS = 100;
/**
 * Between choice and use of a port, another process could choose it too. So each process chooses from a range of its
 * own, which differs between processes started in succession.
 */
const RANGES = 16;
const PORTS_PER_RANGE = Math.floor((HIGHEST_PORT - LOWEST_PORT) / RANGES);
const FIRST_OF_RANGE = LOWEST_PORT + (process.pid % RANGES) * PORTS_PER_RANGE;

const chosen = new Set<number>();

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

/** Returns an unused TCP port of 127.0.0.1. A process never gets the same port twice. */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(FIRST_OF_RANGE, FIRST_OF_RANGE + PORTS_PER_RANGE);
    if (!chosen.has(port) && (await isPortFree(port))) {
      chosen.add(port);
      return port;
    }
  }
  throw new BackendError(`No free port of ${LOOPBACK} was found from ${FIRST_OF_RANGE} on, in ${ATTEMPTS} attempts.`);
}

/**
 * Fails for a configured port that cannot be listened on.
 * @param variableName the environment variable that sets the port, if any, for the error
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

/**
 * Returns the requested port, which must be free. Without one, returns the port of the last start if it is free,
 * otherwise another free port, which is stored for the next start.
 * @throws BackendError if the requested port is in use
 */
export async function choosePort(directory: string, user: ServerUser, requested: number | undefined): Promise<number> {
  if (requested !== undefined) {
    await assertPortFree(requested);
    return requested;
  }
  const file = join(directory, 'port');
  const last = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  if (Number.isInteger(last) && last > 0 && last < 65_536 && (await isPortFree(last))) return last;
  const port = await findFreePort();
  writeFileSync(file, `${port}\n`, { mode: 0o600 });
  changeOwner(file, user);
  return port;
}
