import { createHash } from 'node:crypto';
import { recorded } from './trail.ts';
import type { DatabaseCheck } from './statement-check.ts';

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
  databases: ['inventory'],
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
  databases: ['traders'],
  isTransient: false,
  async run({ traders }, recorder) {
    for await (const { id, digest, businessId, name } of traders.rows<Identity>(IDENTITIES)) {
      recorder.countRows(1);
      if (sha256([id, businessId, name]) !== digest) recorder.report(id, 'differs from its digest in the audit trail');
    }
  },
};

export const contentChecks: readonly DatabaseCheck[] = [transactionContents, traderIdentities];
