import { empty, query, recordset, send, sql, type EntityManager } from '@saleschannel/database';
import { meter, type Logger } from '@saleschannel/runtime';

/** A change of status by its place in the ledger. A ledger of the first release gave none. */
export interface PlacedChange {
  readonly salesChannelId: string;
  readonly sequence?: string | undefined;
}

/** What was applied of a sales channel. */
export interface ChannelProgress {
  readonly salesChannelId: string;
  /** Every sequence up to this one was applied. */
  readonly upto: string;
  readonly highest: string;
  /** What was not applied between the two, lowest first, both ends included. */
  readonly gaps: { readonly first: string; readonly last: string }[];
}

const CHANNELS_PER_PAGE = 500;
/** Enough to fill again in one round. The others are told once these are filled. */
const GAPS_AT_MOST = 1_000;

/**
 * Remembers that the changes were applied, in the transaction that applies them, as the last thing it locks. Channels
 * are locked in the order of their ids, so that two writers never wait for each other in a circle. Twice is the same as
 * once. The table is part of each such service's migrations.
 */
export function recordProgress(em: EntityManager, changes: readonly PlacedChange[]): void {
  const placed = changes.filter(({ sequence }) => sequence !== undefined);
  if (placed.length === 0) return;
  send(
    em,
    sql`insert into ledger_progress (sales_channel_id, applied)
        select "salesChannelId", range_agg(int8range(sequence, sequence, '[]'))
        from ${recordset('given', { salesChannelId: 'text', sequence: 'bigint' }, placed)}
        group by "salesChannelId" order by "salesChannelId"
        on conflict (sales_channel_id) do update set applied = ledger_progress.applied + excluded.applied
        where not ledger_progress.applied @> excluded.applied`,
  );
}

/** A page of the channels behind the given one, in the order of their ids. */
function readPage(em: EntityManager, after: string, salesChannelId: string | undefined): Promise<ChannelProgress[]> {
  const wanted = salesChannelId === undefined ? empty : sql`and sales_channel_id = ${salesChannelId}`;
  return query(
    em,
    sql`select sales_channel_id as "salesChannelId", coalesce(lower(missing) - 1, upper(applied) - 1)::text as upto,
          (upper(applied) - 1)::text as highest,
          coalesce(
            (
              select jsonb_agg(jsonb_build_object('first', lower(gap)::text, 'last', (upper(gap) - 1)::text))
              from (select gap from unnest(missing) as gap limit ${GAPS_AT_MOST}) as gaps
            ),
            '[]'
          ) as gaps
        from ledger_progress
        cross join lateral (select int8multirange(int8range(1, upper(applied))) - applied as missing) as difference
        where sales_channel_id > ${after} ${wanted}
        order by sales_channel_id limit ${CHANNELS_PER_PAGE}`,
  );
}

/** How far this service has come in every channel that it knows, or in one, page by page. */
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

/** A change of status that contradicts what was applied before. */
export interface LedgerConflict {
  readonly salesChannelId: string;
  readonly sequence: string;
  readonly transactionId: string;
  /** What this service has in its place. */
  readonly known: string;
}

/**
 * A ledger that was restored to an earlier time gives out the same sequences again. What it says then is neither
 * applied nor dropped: the entry becomes a dead letter with this reason.
 */
class LedgerConflictError extends Error {
  /** integrity_constraint_violation: no fault of the moment that another try could find gone. */
  readonly code = '23000';
}

/** Makes what refuses conflicts: with a log line each, a metric, and an error that undoes the transaction. */
export function createConflictGuard(consumer: string, logger: Logger): (conflicts: readonly LedgerConflict[]) => void {
  const counter = meter().createCounter('saleschannel.ledger_conflicts', {
    description: 'Status changes that contradict applied ones, counted per delivery',
  });
  return (conflicts) => {
    const [first] = conflicts;
    if (!first) return;
    counter.add(conflicts.length, { consumer });
    for (const conflict of conflicts)
      logger.error({ ...conflict }, 'the ledger contradicts what it said before: was its database restored alone?');
    throw new LedgerConflictError(
      `sequence ${first.sequence} of channel ${first.salesChannelId} is transaction ${first.transactionId} for the ` +
        `ledger, and ${first.known} here`,
    );
  };
}
