import {
  nameContains,
  join,
  Keyset,
  queryFirst,
  sql,
  readTotal,
  type EntityManager,
  type ListPart,
  type PageRequest,
  type PageWithTotal,
  type Sql,
} from '@saleschannel/database';
import type { Application, Proposal, ProposalStatus } from '../domain/proposal.ts';

const proposalColumns = sql`
  proposal.id, proposal.sales_channel_id as "salesChannelId", proposal.account_holder_id as "accountHolderId",
  proposal.name, proposal.business_id as "businessId", proposal.status, proposal.trader_id as "traderId"`;

/**
 * Creates the account holder's proposal, or reopens a rejected one with the current data. Undefined if one is pending
 * or accepted.
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

export const findHolderProposal = (
  em: EntityManager,
  accountHolderId: string,
  salesChannelId: string,
): Promise<Proposal | undefined> =>
  queryFirst(
    em,
    sql`select ${proposalColumns} from proposal
        where account_holder_id = ${accountHolderId} and sales_channel_id = ${salesChannelId}`,
  );

/** Finds a proposal and locks it until the transaction ends. */
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

/** Accepts a locked proposal: its account holder becomes a trader. */
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
 * Order of first submission. All sales channels share these numbers, so a cursor holds the id: a channel must not see
 * how fast the others grow.
 */
const bySubmission = new Keyset('proposals', [
  {
    column: 'proposal.position',
    type: 'text',
    by: { column: 'proposal.id', find: (id) => sql`(select position from proposal where id = ${id})` },
  },
]);

/** The expressions of the index on parts of names. */
const nameInChannel = { name: sql`proposal.name`, scope: sql`proposal.sales_channel_id || '/'` };

/** `offset 0` forces the index: the generic plan would scan all proposals in list order. */
const proposalsLike = ({ salesChannelId, text }: ProposalSearch): Sql => sql`(
  (
    select * from proposal where ${nameContains(nameInChannel, `${salesChannelId}/`, text)} and id <> ${text} offset 0
  )
  union all select * from proposal where id = ${text} and sales_channel_id = ${salesChannelId}
) as proposal`;

interface ProposalSearch {
  readonly salesChannelId: string;
  /** A part of the account holder's name, ignoring case and accents, or the id of the proposal. */
  readonly text: string;
}

/** A proposal must meet every condition present. */
export interface ProposalFilter {
  readonly salesChannelId?: string | undefined;
  readonly accountHolderId?: string | undefined;
  readonly status?: ProposalStatus | undefined;
  readonly search?: ProposalSearch | undefined;
}

/** Reads a page of proposals, in the order of first submission. */
export function selectProposals(
  em: EntityManager,
  filter: ProposalFilter,
  page: PageRequest,
): Promise<ListPart<Proposal>> {
  const { salesChannelId, accountHolderId, status, search } = filter;
  const conditions = [sql`true`];
  if (salesChannelId !== undefined) conditions.push(sql`proposal.sales_channel_id = ${salesChannelId}`);
  if (accountHolderId !== undefined) conditions.push(sql`proposal.account_holder_id = ${accountHolderId}`);
  if (status !== undefined) conditions.push(sql`proposal.status = ${status}`);
  const source = search === undefined ? sql`proposal` : proposalsLike(search);
  return bySubmission.page(
    em,
    { ...page, scope: filter },
    ({ key, after, order, rows }) =>
      sql`select ${proposalColumns}, ${key} from ${source} where ${join(conditions, ' and ')} and ${after}
          order by ${order} ${rows}`,
  );
}

/** Reads a page of the proposals to all channels, with their exact number. */
export async function selectProposalsWithTotal(
  em: EntityManager,
  filter: Omit<ProposalFilter, 'salesChannelId' | 'search'>,
  page: PageRequest,
): Promise<PageWithTotal<Proposal>> {
  const { status = '*', accountHolderId = '*' } = filter;
  const part = await selectProposals(em, filter, page);
  return { ...part, total: await readTotal(em, 'proposal', [`${status}/${accountHolderId}`]) };
}

export const findProposal = (em: EntityManager, id: string): Promise<Proposal | undefined> =>
  queryFirst(em, sql`select ${proposalColumns} from proposal where id = ${id}`);
