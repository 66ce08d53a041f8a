import { statementCheck, type DatabaseCheck } from './statement-check.ts';
import { EVERY_TASK } from './tasks.ts';

/** Invariants of the databases of other services. */
export const recordChecks: readonly DatabaseCheck[] = [
  statementCheck('trader-keys', 'traders', {
    about: 'An idempotency key refers to one trader of its channel',
    rows: "from idempotency_key where operation = 'traders.CreateTrader'",
    violations: `
      select key as id, format('key of %s names %s', scope, convert_from(answer, 'UTF8')) as detail
      from idempotency_key left join trader
        on trader.id = convert_from(answer, 'UTF8') and 'channel/' || trader.sales_channel_id = scope
      where operation = 'traders.CreateTrader' and (trader.id is null or kept_until is not null)`,
  }),
  statementCheck('proposals', 'traders', {
    about: 'Each accepted proposal has the trader of its account holder, and each such trader has its proposal',
    rows: 'from proposal',
    violations: `
      select coalesce(proposal.id, trader.id) as id, format('proposal %s (%s), trader %s', proposal.id, proposal.status,
        trader.id) as detail
      from proposal full join trader on trader.sales_channel_id = proposal.sales_channel_id
        and trader.account_holder_id = proposal.account_holder_id
      where (trader.account_holder_id is not null or proposal.id is not null) and (
        (proposal.status = 'ACCEPTED') is distinct from (trader.id is not null)
        or proposal.trader_id is distinct from trader.id
      )`,
  }),
  statementCheck('event-times', 'events', {
    about: 'The event times of a channel strictly increase up to the last assigned time',
    rows: 'from event',
    violations: `
      select coalesce(event.id, head.sales_channel_id) as id,
        format('created %s, previous %s, last %s', created_at, before, last_created_at) as detail
      from (
        select *, lag(created_at) over log as before, lead(created_at) over log is null as is_last
        from event window log as (partition by sales_channel_id order by created_at, id)
      ) as event full join log_head as head using (sales_channel_id)
      where event.created_at <= event.before or head.sales_channel_id is null
        or coalesce(event.is_last, true) and head.last_created_at
          is distinct from coalesce(event.created_at, '1970-01-01T00:00:00Z')`,
  }),
  ...(['events', 'tasks'] as const).map((name) =>
    statementCheck(`${name}-progress`, name, {
      about: 'The recorded sequences of a consumer match the changes that it applied',
      rows: 'from ledger_progress',
      violations: `
        with known as (
          select sales_channel_id, ${name === 'events' ? 'sequence' : 'ledger_sequence'} as sequence
          from ${name === 'events' ? 'event' : `${EVERY_TASK} as task`}
        )
        select sales_channel_id as id, format('sequence %s, recorded %s', sequence, applied) as detail
        from known left join ledger_progress using (sales_channel_id)
        where sequence is not null and (applied is null or not applied @> sequence)`,
    }),
  ),
];
