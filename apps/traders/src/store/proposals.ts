import { query, queryFirst, sql, type Database, type EntityManager } from '@saleschannel/database';
import type { Application, Proposal } from '../domain/proposal.ts';

const PAGE_ROWS = 500;

const proposalColumns = sql`
  proposal.id, proposal.sales_channel_id as "salesChannelId", proposal.account_holder_id as "accountHolderId",
  proposal.name, proposal.business_id as "businessId", proposal.status, proposal.trader_id as "traderId"`;

/**
 * Makes the account holder's proposal, or opens a rejected one again with what it says now. Undefined when there is one
 * that is pending or accepted.
 */
export const submitProposal = (
  em: EntityManager,
  id: string,
  { accountHolderId, salesChannelId, businessId, name, address }: Application,
): Promise<Proposal | undefined> =>
  queryFirst(
    em,
    sql`insert into proposal (id, account_holder_id, sales_channel_id, business_id, name, address)
        values (${id}, ${accountHolderId}, ${salesChannelId}, ${businessId}, ${name}, ${JSON.stringify(address)}::jsonb)
        on conflict (account_holder_id, sales_channel_id) do update set
          status = 'PENDING', decided_at = null, submitted_at = clock_timestamp(),
          business_id = excluded.business_id, name = excluded.name, address = excluded.address
        where proposal.status = 'REJECTED'
        returning ${proposalColumns}`,
  );

export const findProposalOf = (
  em: EntityManager,
  accountHolderId: string,
  salesChannelId: string,
): Promise<Proposal | undefined> =>
  queryFirst(
    em,
    sql`select ${proposalColumns} from proposal
        where account_holder_id = ${accountHolderId} and sales_channel_id = ${salesChannelId}`,
  );

/** The proposal, locked until the transaction ends. */
export const lockProposal = (
  em: EntityManager,
  salesChannelId: string,
  proposalId: string,
): Promise<Proposal | undefined> =>
  queryFirst(
    em,
    sql`select ${proposalColumns} from proposal
        where id = ${proposalId} and sales_channel_id = ${salesChannelId} for update`,
  );

/** Makes the account holder of a locked proposal a trader. */
export const acceptProposal = (
  em: EntityManager,
  proposalId: string,
  traderId: string,
): Promise<Proposal | undefined> =>
  queryFirst(
    em,
    sql`with onboarded as (
          insert into trader (id, sales_channel_id, account_holder_id, business_id, name, address)
          select ${traderId}, sales_channel_id, account_holder_id, business_id, name, address
          from proposal where id = ${proposalId}
          returning id
        )
        update proposal set status = 'ACCEPTED', trader_id = onboarded.id, decided_at = clock_timestamp()
        from onboarded where proposal.id = ${proposalId}
        returning ${proposalColumns}`,
  );

export const rejectProposal = (em: EntityManager, proposalId: string): Promise<Proposal | undefined> =>
  queryFirst(
    em,
    sql`update proposal set status = 'REJECTED', decided_at = clock_timestamp() where id = ${proposalId}
        returning ${proposalColumns}`,
  );

/** The proposals made to a channel in the order of their first submission, read page by page: memory stays flat. */
export async function* listProposals(database: Database, salesChannelId: string): AsyncGenerator<Proposal> {
  for (let after: string | undefined = '0'; after !== undefined;) {
    const rows: (Proposal & { position: string })[] = await query(
      database.em(),
      sql`select ${proposalColumns}, proposal.position from proposal
          where sales_channel_id = ${salesChannelId} and proposal.position > ${after}::bigint
          order by proposal.position limit ${PAGE_ROWS}`,
    );
    for (const { position: _position, ...proposal } of rows) yield proposal;
    after = rows.length < PAGE_ROWS ? undefined : rows.at(-1)?.position;
  }
}
