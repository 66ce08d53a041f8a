import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, isPortFree } from './ports.ts';
import { giveTo } from './system-user.ts';
import type { ServerUser } from './system-user.ts';

/** The port of the last start while it is free, else another free one, written down for the next start. */
export async function rememberedPort(directory: string, user: ServerUser, name = 'port'): Promise<number> {
  const file = join(directory, name);
  const last = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  if (Number.isInteger(last) && last > 0 && last < 65_536 && (await isPortFree(last))) return last;
  const port = await freePort();
  writeFileSync(file, `${port}\n`, { mode: 0o600 });
  giveTo(file, user);
  return port;
}
