import type { EntityManager } from './entity-manager.ts';

/** Migrations cast bytes to numbers, which earlier servers cannot. */
const OLDEST_MAJOR = 18;
const MAJOR = 10_000;

/** @throws Error when the server is too old, which would show in the midst of migrations otherwise */
export async function expectSupportedServer(em: EntityManager): Promise<void> {
  const [server] = await em.entities
    .getConnection()
    .execute<{ number: number; version: string }[]>(
      `select current_setting('server_version_num')::int as number, current_setting('server_version') as version`,
    );
  if (server) assertSupported(server.number, server.version);
}

/** @param number as `server_version_num` has it: 180004 for 18.4 */
export function assertSupported(number: number, version: string): void {
  if (number < OLDEST_MAJOR * MAJOR)
    throw new Error(`PostgreSQL ${OLDEST_MAJOR} or later is needed, and this server is PostgreSQL ${version}`);
}
