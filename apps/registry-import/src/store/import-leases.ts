import type { Actor } from '@saleschannel/contracts';
import { query, queryFirst, sql, type EntityManager, type Sql } from '@saleschannel/database';
import type { ImportFormat } from '../domain/import-format.ts';
import type { Position } from '../domain/record-splitter.ts';
import { leaseEnd } from './uploads.ts';

/** A leased import, and the state to continue from. */
export interface ImportRun {
  readonly id: string;
  /** Account holder or registry key that shares turns. */
  readonly holder: string;
  readonly source: ImportFormat;
  /** Null for an import of an old release. */
  readonly actor: Actor | null;
  /** Start of the next record. */
  readonly next: Position;
  /** Header of a CSV file. Null until read. */
  readonly columns: readonly string[] | null;
  /** 0 while the file is read, then the number of the pass over waiting lines. */
  readonly pass: number;
  /** Last line tried in this pass, an int8 as text. */
  readonly passLine: string;
  /** True if this pass has applied a line. */
  readonly passHasProgress: boolean;
  /** An int8 as text. */
  readonly leaseNumber: string;
}

/** A renewable lease of an import. */
export interface Lease {
  readonly importId: string;
  readonly owner: string;
  /** Increases with each lease. An int8 as text. */
  readonly number: string;
  readonly leaseMs: number;
}

/** Account holder or key that shares turns. */
const holder = sql`coalesce(import.holder_id, import.key_id, '')`;
const isUnfinished = sql`import.status in ('PENDING', 'RUNNING')`;
/** Neither leased nor paused after a fault. */
const isFree = sql`(import.lease_until is null or import.lease_until < clock_timestamp())`;

/** Reports whether {@link claimNext} may find an import, without a transaction. */
export async function hasFreeImport(em: EntityManager): Promise<boolean> {
  return (await queryFirst(em, sql`select id from import where ${isUnfinished} and ${isFree} limit 1`)) !== undefined;
}

/**
 * Claims a free import of the account holder whose last turn was longest ago. Imports of one holder run one after
 * another, because a file may refer to records of an earlier file. Requires a transaction: claims are serialized.
 * Locked imports are skipped, so that no claim waits for another holder's import.
 */
export async function claimNext(em: EntityManager, owner: string, leaseMs: number): Promise<ImportRun | undefined> {
  await query(em, sql`select pg_advisory_xact_lock(hashtextextended('import-claim', 0))`);
  return queryFirst(
    em,
    sql`update import set status = 'RUNNING', lease_owner = ${owner}, lease_until = ${leaseEnd(leaseMs)},
          lease_number = nextval('import_lease_number')
        where id = (
            select import.id
            from (
              select distinct on (${holder}) id, ${holder} as holder
              from import where ${isUnfinished} order by ${holder}, lease_number is null, ordinal
            ) next
            join import on import.id = next.id and ${isUnfinished} and ${isFree}
            order by (select max(lease_number) from import where ${holder} = next.holder) nulls first, import.ordinal
            limit 1
            for no key update of import skip locked
          )
        returning id, ${holder} as holder, actor, columns, pass, pass_line as "passLine",
          pass_applied > 0 as "passHasProgress", lease_number::text as "leaseNumber",
          jsonb_build_object('format', format, 'type', record_type) as source,
          jsonb_build_object('byte', next_byte, 'line', next_line) as next`,
  );
}

export const isHeld = ({ importId, owner, number }: Lease): Sql =>
  sql`id = ${importId} and lease_owner = ${owner} and lease_number = ${number} and status = 'RUNNING'`;

/** Reports whether the lease is valid, and keeps it valid until the transaction ends. */
export async function holdsLease(em: EntityManager, lease: Lease): Promise<boolean> {
  return (await queryFirst(em, sql`select id from import where ${isHeld(lease)} for share`)) !== undefined;
}

/** Returns false if the lease was lost. */
export async function renewLease(em: EntityManager, lease: Lease): Promise<boolean> {
  const renewed = await queryFirst(
    em,
    sql`update import set lease_until = ${leaseEnd(lease.leaseMs)} where ${isHeld(lease)} returning id`,
  );
  return renewed !== undefined;
}

/** Ends the turn of an import if another account holder waits without a running import. Returns false otherwise. */
export async function yieldTurn(em: EntityManager, lease: Lease): Promise<boolean> {
  const yielded = await queryFirst(
    em,
    sql`update import set lease_owner = null, lease_until = null
        where ${isHeld(lease)} and exists (
          select ${holder} from import where ${isUnfinished} and ${isFree}
          except select ${holder} from import where status = 'RUNNING' and not ${isFree}
        ) returning id`,
  );
  return yielded !== undefined;
}

/** Ends a lease. The import stays RUNNING, and any replica can continue after the pause. */
export async function releaseLease(em: EntityManager, lease: Lease, pauseMs: number): Promise<void> {
  await query(em, sql`update import set lease_owner = null, lease_until = ${leaseEnd(pauseMs)} where ${isHeld(lease)}`);
}
