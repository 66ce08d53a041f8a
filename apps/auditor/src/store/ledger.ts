import { statementCheck, type DatabaseCheck } from './database-check.ts';

/** Invariants of the bundles and transactions of the ledger. */
export const ledgerChecks: readonly DatabaseCheck[] = [
  statementCheck('bundle-tiling', 'inventory', {
    about: 'The bundles of an issuance fill the range from ROOT to END without gap or overlap',
    rows: 'from bundle',
    violations: `
      select id::text, format('issuance %s: %s from %s to %s', issuance_id, state, previous_last + 1, last) as detail
      from (
        select *, lag(last) over chain as last_before, lag(state) over chain as state_before,
          lead(state) over chain as state_after
        from bundle window chain as (partition by issuance_id order by last nulls last)
      ) as link
      where previous_last is distinct from last_before or (state_before is null) <> (state = 'ROOT')
        or (state_after is null) <> (state = 'END')`,
  }),
  statementCheck('bundle-volume', 'inventory', {
    about: 'The bundles of an issuance contain exactly the issued certificates',
    rows: 'from issuance',
    violations: `
      select issuance.id::text, format('%s issued, %s in bundles', issuance.last_serial - issuance.first_serial + 1,
        coalesce(sum(bundle.last - bundle.previous_last), 0)) as detail
      from issuance left join bundle on bundle.issuance_id = issuance.id
      group by issuance.id
      having coalesce(sum(bundle.last - bundle.previous_last), 0) <> issuance.last_serial - issuance.first_serial + 1
        or min(bundle.previous_last) is distinct from issuance.first_serial - 1
        or max(bundle.last) is distinct from issuance.last_serial`,
  }),
  statementCheck('transaction-lines', 'inventory', {
    about: 'Every transaction has lines numbered from 0, and is completed unless it is PENDING',
    rows: 'from ledger_transaction',
    violations: `
      select transaction.id, format('%s lines, status %s, completed %s', count(line.ordinal), transaction.status,
        transaction.completed_at) as detail
      from ledger_transaction as transaction left join transaction_line as line on line.transaction_id = transaction.id
      group by transaction.id
      having count(line.ordinal) = 0 or max(line.ordinal) <> count(line.ordinal) - 1
        or (transaction.status = 'PENDING') <> (transaction.completed_at is null)
        or transaction.completed_at < transaction.created_at`,
  }),
  statementCheck('line-ends', 'inventory', {
    about: 'The lines of a transaction do not share certificates',
    rows: 'from transaction_line',
    violations: `
      select transaction_id as id, format('issuance %s: %s to %s', issuance_id, first, last) as detail
      from (
        select *, max(last) over (
          partition by transaction_id, issuance_id order by first, last rows between unbounded preceding and 1 preceding
        ) as last_before
        from transaction_line
      ) as line
      where first <= last_before`,
  }),
  statementCheck('one-decision', 'inventory', {
    about: 'A task is either executed or refused',
    rows: 'from transfer_refusal',
    violations: `
      select task_id as id, format('refused, but executed as %s', ledger_transaction.id) as detail
      from transfer_refusal join ledger_transaction using (task_id)`,
  }),
  statementCheck('onramp-keys', 'inventory', {
    about: 'The idempotency key of an onramp refers to an onramp of its account holder',
    rows: "from idempotency_key where operation = 'ledger.Onramp'",
    violations: `
      select key as id, format('key of %s names %s', scope, convert_from(answer, 'UTF8')) as detail
      from idempotency_key left join ledger_transaction as transaction
        on transaction.id = convert_from(answer, 'UTF8') and transaction.type = 'ONRAMP'
        and 'holder/' || transaction.account_holder_id = scope
      where operation = 'ledger.Onramp' and (transaction.id is null or kept_until is not null)`,
  }),
  statementCheck('retirement-statements', 'inventory', {
    about: 'Exactly the completed retirements have a statement, with the time of completion',
    rows: 'from retirement_statement',
    violations: `
      select coalesce(transaction.id, statement.transaction_id) as id,
        format('%s %s completed %s, statement of %s', transaction.type, transaction.status, transaction.completed_at,
          statement.retired_at) as detail
      from (select * from ledger_transaction where type = 'RETIREMENT') as transaction
      full join retirement_statement as statement on statement.transaction_id = transaction.id
      where transaction.id is null or statement.transaction_id is null
        or statement.retired_at is distinct from
          (case transaction.status when 'SUCCESS' then transaction.completed_at end)`,
  }),
  statementCheck('transaction-notes', 'inventory', {
    about: 'References and metadata belong to transactions of their own sales channel, and each can be searched',
    rows: 'from transaction_reference',
    violations: `
      select coalesce(noted.id, entry.transaction_id) as id,
        format('pair %s, found by %s', encode(noted.pair, 'hex'), encode(entry.pair, 'hex')) as detail
      from (
        select transaction.id, transaction.sales_channel_id, transaction.type, transaction.created_at,
          sha256(convert_to(member.key || '=' || member.value, 'UTF8')) as pair
        from transaction_reference join ledger_transaction as transaction on transaction.id = transaction_id
        cross join lateral jsonb_each_text(metadata) as member
      ) as noted
      full join transaction_metadata as entry on entry.transaction_id = noted.id and entry.pair = noted.pair
        and entry.sales_channel_id = noted.sales_channel_id and entry.type = noted.type
        and entry.created_at = noted.created_at
      where noted.id is null or entry.transaction_id is null
      union all
      select transaction_id, format('set by %s on a transaction of %s', reference.sales_channel_id,
        transaction.sales_channel_id)
      from transaction_reference as reference
      left join ledger_transaction as transaction on transaction.id = transaction_id and task_id is not null
      where transaction.sales_channel_id is distinct from reference.sales_channel_id`,
  }),
  statementCheck('status-changes', 'inventory', {
    about: 'Exactly the ended transfers have a status change in the sequence of their channel',
    rows: 'from status_change',
    violations: `
      select coalesce(transaction.id, change.transaction_id) as id,
        format('transaction %s, change %s', transaction.status, change.status) as detail
      from ledger_transaction as transaction full join status_change as change on change.transaction_id = transaction.id
      where (transaction.task_id is not null and transaction.status <> 'PENDING') is distinct from
          (change.transaction_id is not null)
        or change.transaction_id is not null and (
          change.sales_channel_id, change.task_id, change.status, change.reason, change.effective_at
        ) is distinct from (
          transaction.sales_channel_id, transaction.task_id, transaction.status, transaction.reason,
          transaction.completed_at
        )`,
  }),
  statementCheck('sequences', 'inventory', {
    about: 'The changes of a channel are numbered from 1 to its last sequence without gaps',
    rows: 'from channel_sequence',
    violations: `
      select sales_channel_id as id,
        format('%s changes from %s to %s, last %s', count(sequence), min(sequence), max(sequence), max(last)) as detail
      from status_change full join channel_sequence using (sales_channel_id)
      group by sales_channel_id
      having min(sequence) is distinct from 1 or max(sequence) is distinct from count(sequence)
        or max(sequence) is distinct from max(last)`,
  }),
];
