import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { query, sql, type Database, type Schema } from '@saleschannel/database';
import { toCanonicalText } from '@saleschannel/primitives';
import { createTestDatabase, openTestDatabase } from '@saleschannel/testing';
import type { Act } from '../../src/record.ts';

export interface Trail {
  readonly database: Database;
  stop(): Promise<void>;
}

const text = readFileSync(new URL('../../src/audit.sql', import.meta.url), 'utf8');
/** Schema of a database that contains only an audit trail. */
export const schema: Schema = { migrations: [{ file: '20260101000000-audit.sql', text }] };

/** Creates a database that contains only an audit trail. */
export async function startTrail(): Promise<Trail> {
  const { url, drop } = await createTestDatabase();
  const database = await openTestDatabase({ url, poolMax: 8, ...schema });
  await database.migrate();
  return {
    database,
    async stop() {
      await database.stop();
      await drop();
    },
  };
}

export interface Link {
  readonly sequence: string;
  readonly event: string;
  readonly hash: Buffer;
}

export const readChain = ({ database }: Trail, scope: string): Promise<Link[]> =>
  query(database.em(), sql`select sequence, event, hash from audit_event where scope = ${scope} order by sequence`);

/**
 * Describes the first broken link of a chain, as a reader of the public API can find it. Undefined for an intact chain.
 */
export function findFault(chain: readonly Link[]): string | undefined {
  let previous = '0'.repeat(64);
  for (const [index, { sequence, event, hash }] of chain.entries()) {
    const read = JSON.parse(event) as { sequence: number; previousHash: string };
    const isHashed = createHash('sha256').update(toCanonicalText(read)).digest().equals(hash);
    if (!isHashed || read.previousHash !== previous) return `event ${sequence} does not follow`;
    if (sequence !== String(index + 1) || read.sequence !== index + 1) return `event ${index + 1} is missing`;
    previous = hash.toString('hex');
  }
  return undefined;
}

export const act = (scope: string, id: string, fields: Partial<Act> = {}): Act => ({
  scopes: [scope],
  actor: { kind: 'operator' },
  action: 'rbac.role.granted',
  subject: { type: 'user', id },
  after: { role: 'TRADER_VIEWER' },
  ...fields,
});
