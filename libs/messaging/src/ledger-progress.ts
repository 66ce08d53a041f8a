import { empty, query, queryFirst, recordset, send, sql, type EntityManager } from '@saleschannel/database';
import { meter, type Logger } from '@saleschannel/runtime';

/** A status change with its sequence in the ledger. The ledger of the first release sent no sequences. */
export interface SequencedChange {
  readonly salesChannelId: string;
  readonly sequence?: string | undefined;
}

/** Applied sequences of a sales channel. */
export interface ChannelProgress {
  readonly salesChannelId: string;
  /** All sequences up to this one are applied. */
  readonly upto: string;
  readonly highest: string;
  /** Missing sequences between the two, lowest first, both ends inclusive. */
  readonly gaps: { readonly first: string; readonly last: string }[];
}

const CHANNELS_PER_PAGE = 500;
/** Gaps that one round of the reconciliation can fill. It reads the others once these are filled. */
const MAX_GAPS = 1_000;

/**
 * Records changes as applied, in the transaction that applies them, as its last statement with locks. Locks channels in
 * the order of their ids, which prevents deadlocks. Recording a change again has no effect. The migrations of each such
 * service create the table.
 */
export function recordProgress(em: EntityManager, changes: readonly SequencedChange[]): void {
  const sequenced = changes.filter(({ sequence }) => sequence !== undefined);
  if (sequenced.length === 0) return;
  send(
    em,
    sql`insert into ledger_progress (sales_channel_id, applied)
        select "salesChannelId", range_agg(int8range(sequence, sequence, '[]'))
        from ${recordset('given', { salesChannelId: 'text', sequence: 'bigint' }, sequenced)}
        group by "salesChannelId" order by "salesChannelId"
        on conflict (sales_channel_id) do update set applied = ledger_progress.applied + excluded.applied
        where not ledger_progress.applied @> excluded.applied`,
  );
}

/** Returns a page of the channels after the given one, by id. */
function readPage(em: EntityManager, after: string, salesChannelId: string | undefined): Promise<ChannelProgress[]> {
  const filter = salesChannelId === undefined ? empty : sql`and sales_channel_id = ${salesChannelId}`;
  return query(
    em,
    sql`select sales_channel_id as "salesChannelId", coalesce(lower(missing) - 1, upper(applied) - 1)::text as upto,
          (upper(applied) - 1)::text as highest,
          coalesce(
            (
              select jsonb_agg(jsonb_build_object('first', lower(gap)::text, 'last', (upper(gap) - 1)::text))
              from (select gap from unnest(missing) as gap limit ${MAX_GAPS}) as gaps
            ),
            '[]'
          ) as gaps
        from ledger_progress
        cross join lateral (select int8multirange(int8range(1, upper(applied))) - applied as missing) as difference
        where sales_channel_id > ${after} ${filter}
        order by sales_channel_id limit ${CHANNELS_PER_PAGE}`,
  );
}

/** Reads this service's progress in one or all channels, page by page. */
export async function* readProgress(
  em: () => EntityManager,
  salesChannelId: string | undefined,
): AsyncGenerator<{ channels: ChannelProgress[] }> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const channels: ChannelProgress[] = await readPage(em(), after, salesChannelId);
    if (channels.length > 0) yield { channels };
    after = channels.length < CHANNELS_PER_PAGE ? undefined : channels.at(-1)?.salesChannelId;
  }
}

/** Returns how many status changes of the ledger this service has ever applied, an int8 as text. */
export async function countApplied(em: EntityManager): Promise<string> {
  const row = await queryFirst<{ applied: string }>(
    em,
    sql`select coalesce(sum(upper(range) - lower(range)), 0)::bigint::text as applied
        from ledger_progress, unnest(applied) as range`,
  );
  return row?.applied ?? '0';
}

/** A status change that contradicts an applied one. */
export interface LedgerConflict {
  readonly salesChannelId: string;
  readonly sequence: string;
  readonly transactionId: string;
  /** The transaction that this service has at this sequence. */
  readonly known: string;
}

/**
 * Refuses a change of a ledger that was restored to an earlier time, which reuses sequences. Such a change is neither
 * applied nor dropped: the entry becomes a dead letter with this reason.
 */
class LedgerConflictError extends Error {
  /** integrity_constraint_violation, which is permanent: a retry would fail again. */
  readonly code = '23000';
}

/** Creates a function that refuses conflicts: it logs each, counts them, and throws to roll back the transaction. */
export function createConflictGuard(consumer: string, logger: Logger): (conflicts: readonly LedgerConflict[]) => void {
  const counter = meter().createCounter('saleschannel.ledger_conflicts', {
    description: 'Status changes that contradict applied ones, counted per delivery',
  });
  return (conflicts) => {
    const [first] = conflicts;
    if (!first) return;
    counter.add(conflicts.length, { consumer });
    for (const conflict of conflicts)
      logger.error({ ...conflict }, 'the ledger contradicts an applied change; was only its database restored?');
    throw new LedgerConflictError(
      `sequence ${first.sequence} of channel ${first.salesChannelId} is transaction ${first.transactionId} for the ` +
        `ledger, and ${first.known} here`,
    );
  };
}
