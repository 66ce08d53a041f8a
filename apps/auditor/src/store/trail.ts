import { createHash } from 'node:crypto';
import { databaseNames, type DatabaseName } from '../domain/check.ts';
import { statementCheck, type DatabaseCheck } from './database-check.ts';

interface Link {
  readonly scope: string;
  readonly sequence: string;
  readonly event: string | null;
  readonly hash: string | null;
  readonly lastSequence: string | null;
  readonly lastHash: string | null;
}

/** Events with the heads of their chains. A chain without events has one row. */
const LINKS = `
  select coalesce(audit_event.scope, audit_head.scope) as scope, coalesce(audit_event.sequence, 0)::text as sequence,
    event, encode(audit_event.hash, 'hex') as hash, audit_head.sequence::text as "lastSequence",
    encode(audit_head.hash, 'hex') as "lastHash"
  from audit_event full join audit_head on audit_head.scope = audit_event.scope
  order by coalesce(audit_event.scope, audit_head.scope) collate "C", audit_event.sequence`;

interface EventText {
  readonly scope?: unknown;
  readonly sequence?: unknown;
  readonly previousHash?: unknown;
  readonly occurredAt?: unknown;
}

const NO_HASH = '0'.repeat(64);

/** Returns the fault of an event as the next one of its chain. */
function findFault(link: Link, before: Link | undefined, time: string): string | undefined {
  if (link.event === null || link.hash === null) return 'the head of the chain names an event that does not exist';
  if (createHash('sha256').update(link.event).digest('hex') !== link.hash) return 'its hash does not match its text';
  const event = JSON.parse(link.event) as EventText;
  if (event.scope !== link.scope || String(event.sequence) !== link.sequence)
    return 'its text has another scope or sequence';
  if (BigInt(link.sequence) !== BigInt(before?.sequence ?? 0) + 1n) return `it follows ${before?.sequence ?? 'none'}`;
  if (event.previousHash !== (before?.hash ?? NO_HASH)) return 'it does not contain the hash of the previous event';
  if (typeof event.occurredAt !== 'string' || event.occurredAt < time) return 'its time precedes the previous event';
  return undefined;
}

/** Recomputes hash chains from the first event to the recorded head. */
const chain = (name: DatabaseName): DatabaseCheck => ({
  name: `${name}-audit-trail`,
  about: 'Each event of the audit trail contains the hash of the previous event, up to the head of the chain',
  isTransient: false,
  async run({ [name]: snapshot }, recorder) {
    if (!(await snapshot.hasTable('audit_event'))) return;
    let before: Link | undefined;
    let time = '';
    const checkHead = (): void => {
      if (before && (before.lastSequence !== before.sequence || before.lastHash !== before.hash))
        recorder.report(before.scope, `the chain ends with ${before.sequence}, but its head is ${before.lastSequence}`);
    };
    for await (const link of snapshot.rows<Link>(LINKS)) {
      if (link.scope !== before?.scope) {
        checkHead();
        [before, time] = [undefined, ''];
      }
      recorder.countRows(1);
      const fault = findFault(link, before, time);
      if (fault !== undefined) recorder.report(`${link.scope}/${link.sequence}`, fault);
      time = link.event === null ? '' : String((JSON.parse(link.event) as EventText).occurredAt);
      before = link;
    }
    checkHead();
  },
});

/** Events of the trail as rows (`recorded`), and the start of the trail (`trail`). */
export const recorded = `
  recorded as (
    select scope, sequence, body ->> 'action' as action, body #>> '{subject,id}' as subject, body -> 'before' as before,
      body -> 'after' as after
    from (select scope, sequence, event::jsonb as body from audit_event) as audit_event
  ), trail as (
    select min(executed_at) as since from schema_migration where name like '%audit_trail'
  )`;

const eventChecks: readonly DatabaseCheck[] = [
  statementCheck('audited-transactions', 'inventory', {
    about: 'The audit trails of channels and registry contain every transaction and no other',
    rows: 'from ledger_transaction',
    violations: `
      with ${recorded}, act as (
        select * from recorded
        where action in (
          'inventory.transaction.created', 'inventory.certificates.onramped', 'inventory.issuance.created'
        )
      )
      select coalesce(transaction.id, act.subject) as id,
        format('%s, in the trail of %s: %s', transaction.type, act.scope, act.action) as detail
      from ledger_transaction as transaction full join act
        on act.subject = transaction.id
        and act.scope = case when transaction.type in ('ISSUANCE', 'ONRAMP') then 'registry' else sales_channel_id end
      where transaction.id is null and not exists (
          select from ledger_transaction as other where other.id = act.subject
        )
        or act.subject is null and transaction.created_at >= (select since from trail)
        or act.subject is not null and transaction.id is not null and (
          act.action <> case transaction.type when 'ISSUANCE' then 'inventory.issuance.created'
            when 'ONRAMP' then 'inventory.certificates.onramped' else 'inventory.transaction.created' end
          or act.action = 'inventory.transaction.created' and (
            act.after ->> 'type' <> transaction.type or act.after ->> 'taskId' <> transaction.task_id
            or act.after ->> 'status' = 'SUCCESS' and transaction.status <> 'SUCCESS'
          )
        )
      union all
      select subject, format('%s times in the trail of %s as %s', count(*), scope, action)
      from act group by subject, scope, action having count(*) > 1`,
  }),
  statementCheck('audited-decisions', 'inventory', {
    about: 'The decisions on transactions match the audit trail',
    rows: `from audit_event where event like '%"inventory.transaction.%'`,
    violations: `
      with ${recorded}, decided as (
        select * from recorded where action in ('inventory.transaction.approved', 'inventory.transaction.rejected')
      )
      select coalesce(transaction.id, decided.subject) as id,
        format('%s, decided: %s', transaction.status, decided.after ->> 'status') as detail
      from (
        select transaction.* from ledger_transaction as transaction
        join recorded on recorded.subject = transaction.id and recorded.scope = transaction.sales_channel_id
          and recorded.action = 'inventory.transaction.created' and recorded.after ->> 'status' = 'PENDING'
        where transaction.status <> 'PENDING'
      ) as transaction
      full join decided on decided.subject = transaction.id and decided.scope = transaction.sales_channel_id
      where decided.subject is null
        or transaction.id is null and not exists (
          select from ledger_transaction as other where other.id = decided.subject
            and (decided.scope = 'registry' or other.created_at < (select since from trail))
            and other.status = decided.after ->> 'status'
        )
        or decided.after ->> 'status' is distinct from transaction.status and transaction.id is not null`,
  }),
  statementCheck('certificate-ids', 'inventory', {
    about: 'The parts of certificate ids match those that the audit trail recorded at issue',
    rows: 'from issuance',
    violations: `
      with ${recorded}
      select issuance.id::text, format('recorded %s', recorded.after) as detail
      from issuance join recorded on recorded.subject = issuance.id::text and recorded.scope = 'registry'
        and recorded.action = 'inventory.issuance.created'
      cross join lateral (
        select jsonb_build_object(
          'facilityId', facility_id, 'accountHolderId', account_holder_id, 'firstSerial', first_serial::text,
          'lastSerial', last_serial::text, 'standard', standard, 'registry', registry, 'creditType', credit_type,
          'countryCode', country_code, 'facilityCode', facility_code, 'vintage', vintage, 'serialWidth', serial_width
        ) as today
      ) as shown
      where exists (
        select from jsonb_each(recorded.after) as noted
        where today ? noted.key and today -> noted.key is distinct from noted.value
      )
      union all
      select issuance.id::text,
        format('facility %s is now %s of %s', facility_id, code, production_facility.country_code)
      from issuance left join production_facility on production_facility.id = facility_id
      where (facility_code, issuance.country_code) is distinct from (code, production_facility.country_code)`,
  }),
];

export const trailChecks: readonly DatabaseCheck[] = [...databaseNames.map(chain), ...eventChecks];

/**
 * Compares transactions and traders with their digests in the audit trail. Skips events of releases that recorded no
 * digest.
 */

interface Content {
  readonly id: string;
  readonly digest: string;
  /** Members that precede the retirement in the digest, in its order. */
  readonly head: readonly (string | null)[];
  readonly retirement: Readonly<Record<string, unknown>> | null;
  readonly lines: readonly (readonly (string | null)[])[];
}

const CONTENTS = `
  with ${recorded}, created as (
    select subject, after ->> 'digest' as digest from recorded
    where action = 'inventory.transaction.created' and after ? 'digest'
  ), line as (
    select transaction_id, json_agg(
      json_build_array(issuance_id, first::text, last::text, trim_scale(unit_price)::text) order by ordinal
    ) as lines
    from transaction_line group by transaction_id
  )
  select transaction.id, digest, json_build_array(
      id, type, sales_channel_id, seller_id, buyer_id, account_holder_id, currency, task_id, requested_by,
      requested_with_key, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    ) as head, retirement, coalesce(lines, '[]') as lines
  from created join ledger_transaction as transaction on transaction.id = subject
  left join line on transaction_id = transaction.id`;

const sha256 = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

const computeDigest = ({ head, retirement, lines }: Content): string =>
  sha256([...head, retirement && Object.entries(retirement).toSorted(([a], [b]) => (a < b ? -1 : 1)), lines]);

const transactionContents: DatabaseCheck = {
  name: 'transaction-contents',
  about: 'Parties, prices, currency, beneficiary, requester and time of a transaction match the audit trail',
  isTransient: false,
  async run({ inventory }, recorder) {
    for await (const content of inventory.rows<Content>(CONTENTS)) {
      recorder.countRows(1);
      if (computeDigest(content) !== content.digest)
        recorder.report(content.id, 'differs from its digest in the audit trail');
    }
  },
};

interface Identity {
  readonly id: string;
  readonly digest: string;
  readonly businessId: string;
  readonly name: string;
}

const IDENTITIES = `
  with ${recorded}, latest as (
    select distinct on (trader_id) trader_id, after ->> 'digest' as digest
    from (
      select *, case action when 'traders.proposal.accepted' then after ->> 'traderId' else subject end as trader_id
      from recorded
      where action in ('traders.trader.created', 'traders.trader.updated', 'traders.proposal.accepted')
        and scope <> 'registry'
    ) as act
    order by trader_id, sequence desc
  )
  select id, digest, business_id as "businessId", name
  from latest join trader on id = trader_id where digest is not null`;

const traderIdentities: DatabaseCheck = {
  name: 'trader-identities',
  about: 'The business id and name of a trader match the last record in the audit trail',
  isTransient: false,
  async run({ traders }, recorder) {
    for await (const { id, digest, businessId, name } of traders.rows<Identity>(IDENTITIES)) {
      recorder.countRows(1);
      if (sha256([id, businessId, name]) !== digest) recorder.report(id, 'differs from its digest in the audit trail');
    }
  },
};

export const contentChecks: readonly DatabaseCheck[] = [transactionContents, traderIdentities];
