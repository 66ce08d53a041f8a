import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assertPortFree, freePort, isPortFree } from './ports.ts';
import { giveTo } from './system-user.ts';
import type { ServerUser } from './system-user.ts';

/**
 * The wanted port, which must be free. Without one, it is the port of the last start while that is free. Else it is
 * another free one, which is written down for the next start.
 * @throws BackendError when the wanted port is taken
 */
export async function choosePort(directory: string, user: ServerUser, wanted: number | undefined): Promise<number> {
  if (wanted !== undefined) {
    await assertPortFree(wanted);
    return wanted;
  }
  const file = join(directory, 'port');
  const last = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  if (Number.isInteger(last) && last > 0 && last < 65_536 && (await isPortFree(last))) return last;
  const port = await freePort();
  writeFileSync(file, `${port}\n`, { mode: 0o600 });
  giveTo(file, user);
  return port;
}
