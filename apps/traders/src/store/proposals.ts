import { query, type Database, type EntityManager } from '@saleschannel/database';
import type { Application, Proposal } from '../domain/proposal.ts';

const PAGE_ROWS = 500;

const columns = `proposal.id, proposal.sales_channel_id as "salesChannelId", proposal.account_holder_id as "accountHolderId", proposal.name,
  proposal.business_id as "businessId", proposal.status, proposal.trader_id as "traderId"`;

/** Makes the account holder's proposal, or opens a rejected one again with what it says now; undefined when there is one that is pending or accepted. */
export async function submitProposal(
  em: EntityManager,
  id: string,
  application: Application,
): Promise<Proposal | undefined> {
  const [proposal] = await query<Proposal>(
    em,
    `insert into proposal (id, account_holder_id, sales_channel_id, business_id, name, address)
     values (?, ?, ?, ?, ?, ?::jsonb)
     on conflict (account_holder_id, sales_channel_id) do update set
       status = 'PENDING', decided_at = null, submitted_at = clock_timestamp(),
       business_id = excluded.business_id, name = excluded.name, address = excluded.address
     where proposal.status = 'REJECTED'
     returning ${columns}`,
    [
      id,
      application.accountHolderId,
      application.salesChannelId,
      application.businessId,
      application.name,
      JSON.stringify(application.address),
    ],
  );
  return proposal;
}

export async function findProposalOf(
  em: EntityManager,
  accountHolderId: string,
  salesChannelId: string,
): Promise<Proposal | undefined> {
  const text = `select ${columns} from proposal where account_holder_id = ? and sales_channel_id = ?`;
  const [proposal] = await query<Proposal>(em, text, [accountHolderId, salesChannelId]);
  return proposal;
}

/** The proposal, locked until the transaction ends. */
export async function lockProposal(
  em: EntityManager,
  salesChannelId: string,
  proposalId: string,
): Promise<Proposal | undefined> {
  const text = `select ${columns} from proposal where id = ? and sales_channel_id = ? for update`;
  const [proposal] = await query<Proposal>(em, text, [proposalId, salesChannelId]);
  return proposal;
}

/** Makes the account holder of a locked proposal a trader. */
export async function acceptProposal(em: EntityManager, proposalId: string, traderId: string): Promise<Proposal> {
  const [proposal] = await query<Proposal>(
    em,
    `with onboarded as (
       insert into trader (id, sales_channel_id, account_holder_id, business_id, name, address)
       select ?, sales_channel_id, account_holder_id, business_id, name, address from proposal where id = ?
       returning id
     )
     update proposal set status = 'ACCEPTED', trader_id = onboarded.id, decided_at = clock_timestamp()
     from onboarded where proposal.id = ?
     returning ${columns}`,
    [traderId, proposalId, proposalId],
  );
  return proposal as Proposal;
}

export async function rejectProposal(em: EntityManager, proposalId: string): Promise<Proposal> {
  const text = `update proposal set status = 'REJECTED', decided_at = clock_timestamp() where id = ? returning ${columns}`;
  const [proposal] = await query<Proposal>(em, text, [proposalId]);
  return proposal as Proposal;
}

/** The proposals made to a channel in the order of their first submission, read page by page: memory stays flat at any length. */
export async function* listProposals(database: Database, salesChannelId: string): AsyncGenerator<Proposal> {
  for (let after: string | undefined = '0'; after !== undefined;) {
    const rows: (Proposal & { position: string })[] = await query(
      database.em(),
      `select ${columns}, proposal.position::text as position from proposal
       where sales_channel_id = ? and proposal.position > ?::bigint order by proposal.position limit ${PAGE_ROWS}`,
      [salesChannelId, after],
    );
    for (const { position: _position, ...proposal } of rows) yield proposal;
    after = rows.length < PAGE_ROWS ? undefined : rows.at(-1)?.position;
  }
}
