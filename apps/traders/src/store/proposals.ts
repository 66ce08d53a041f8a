import {
  hasInName,
  join,
  Keyset,
  queryFirst,
  sql,
  totalOf,
  type EntityManager,
  type ListPart,
  type PageAsked,
  type PageOf,
  type Sql,
} from '@saleschannel/database';
import type { Application, Proposal, ProposalStatus } from '../domain/proposal.ts';

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

/**
 * In the order of their first submission. All sales channels share these numbers, so a cursor holds the id instead: how
 * fast they grow is nobody's business.
 */
const bySubmission = new Keyset('proposals', [
  {
    column: 'proposal.position',
    type: 'text',
    by: { column: 'proposal.id', find: (id) => sql`(select position from proposal where id = ${id})` },
  },
]);

/** As the index of parts of names has it. */
const nameInChannel = { name: sql`proposal.name`, scope: sql`proposal.sales_channel_id || '/'` };

/** Each part by its index, however few or many it finds: a plan for any values would go through all in order. */
const proposalsLike = ({ salesChannelId, text }: ProposalSearch): Sql => sql`(
  (
    select * from proposal where ${hasInName(nameInChannel, `${salesChannelId}/`, text)} and id <> ${text} offset 0
  )
  union all select * from proposal where id = ${text} and sales_channel_id = ${salesChannelId}
) as proposal`;

interface ProposalSearch {
  readonly salesChannelId: string;
  /** Anywhere in the name of the account holder, without regard to case and accents, or the id of the proposal. */
  readonly text: string;
}

/** All conditions that are present hold at once. */
export interface ProposalFilter {
  readonly salesChannelId?: string | undefined;
  readonly accountHolderId?: string | undefined;
  readonly status?: ProposalStatus | undefined;
  readonly search?: ProposalSearch | undefined;
}

/** Some proposals, in the order of their first submission. */
export function proposalsBySubmission(
  em: EntityManager,
  filter: ProposalFilter,
  asked: PageAsked,
): Promise<ListPart<Proposal>> {
  const { salesChannelId, accountHolderId, status, search } = filter;
  const conditions = [sql`true`];
  if (salesChannelId !== undefined) conditions.push(sql`proposal.sales_channel_id = ${salesChannelId}`);
  if (accountHolderId !== undefined) conditions.push(sql`proposal.account_holder_id = ${accountHolderId}`);
  if (status !== undefined) conditions.push(sql`proposal.status = ${status}`);
  const source = search === undefined ? sql`proposal` : proposalsLike(search);
  return bySubmission.page(
    em,
    { ...asked, scope: filter },
    ({ key, after, order, rows }) =>
      sql`select ${proposalColumns}, ${key} from ${source} where ${join(conditions, ' and ')} and ${after}
          order by ${order} ${rows}`,
  );
}

/** A page of the proposals of all account holders to all channels. */
export async function pageOfProposals(
  em: EntityManager,
  filter: Omit<ProposalFilter, 'salesChannelId' | 'search'>,
  asked: PageAsked,
): Promise<PageOf<Proposal>> {
  const { status = '*', accountHolderId = '*' } = filter;
  const part = await proposalsBySubmission(em, filter, asked);
  return { ...part, total: await totalOf(em, 'proposal', [`${status}/${accountHolderId}`]) };
}

export const findProposal = (em: EntityManager, id: string): Promise<Proposal | undefined> =>
  queryFirst(em, sql`select ${proposalColumns} from proposal where id = ${id}`);
