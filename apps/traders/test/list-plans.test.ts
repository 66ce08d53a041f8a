import { planTests } from '@saleschannel/testing/plan-tests';
import { findNamed } from '../src/store/look-up.ts';
import { findNamedParties, findTradersOfHolder } from '../src/store/parties.ts';
import { pageOfProposals, proposalsBySubmission } from '../src/store/proposals.ts';
import { schema } from '../src/store/schema.ts';
import { tradersOf } from '../src/store/trader-lists.ts';

/**
 * Two channels with 20,000 traders each, taking turns. Proposals of 40,000 account holders: nearly all were accepted,
 * the last ones are pending, and three of the channel `large` were rejected, one of them the very last. One account
 * holder has proposals to 200 channels.
 */
const fill = `
  insert into trader (id, sales_channel_id, account_holder_id, business_id, name, address)
  select 'trader-' || n, case n % 2 when 0 then 'large' else 'other' end, 'holder-' || n, 'BUSINESS-' || n,
    case when n > 39990 then 'Zebra ' else 'Trader ' end || n,
    '{}'
  from generate_series(1, 40000) as n;
  insert into proposal
    (id, sales_channel_id, account_holder_id, business_id, name, address, status, decided_at, trader_id)
  select 'proposal-' || n,
    case when n % 200 = 1 then 'channel-' || n when n % 2 = 0 then 'large' else 'other' end,
    case n % 200 when 1 then 'holder-of-many' else 'holder-' || n end, 'BUSINESS-' || n, 'P ' || n,
    '{}', status,
    case status when 'PENDING' then null else now() end, case status when 'ACCEPTED' then 'trader-' || n end
  from generate_series(1, 40000) as n
  cross join lateral (select case
      when n in (10, 20000, 40000) then 'REJECTED' when n > 39900 then 'PENDING' else 'ACCEPTED'
    end as status) as decided;
  insert into list_count (list, key, rows)
  select 'proposal', 'ACCEPTED/holder-' || n, 1 from generate_series(1, 40000) as n;
`;

planTests({
  schema,
  fill,
  lists: {
    'traders of a channel': (em, asked) => tradersOf(em, 'large', {}, asked),
    'traders by the beginning of a name that all have': (em, asked) =>
      tradersOf(em, 'large', { namePrefix: 'trader' }, asked),
    'traders by the beginning of a name that few have': (em, asked) =>
      tradersOf(em, 'large', { namePrefix: 'zEBRA' }, asked),
    'traders by a part of a name that few have': (em, asked) => tradersOf(em, 'large', { namePart: 'ÉBRa' }, asked),
    'traders by name': (em, asked) => tradersOf(em, 'large', {}, asked, { by: 'name', descending: false }),
    'traders by name, the last first': (em, asked) =>
      tradersOf(em, 'large', {}, asked, { by: 'name', descending: true }),
    'traders, the newest first': (em, asked) =>
      tradersOf(em, 'large', {}, asked, { by: 'createdAt', descending: true }),
    'traders by business id': (em, asked) => tradersOf(em, 'large', { businessId: 'BUSINESS-40000' }, asked),
    'proposals to a channel by a part of a name': (em, asked) =>
      proposalsBySubmission(
        em,
        { salesChannelId: 'large', search: { salesChannelId: 'large', text: 'p 3999' } },
        asked,
      ),
    'proposals to a channel by id': (em, asked) =>
      proposalsBySubmission(
        em,
        { salesChannelId: 'large', search: { salesChannelId: 'large', text: 'proposal-20000' } },
        asked,
      ),
    'proposals to a channel': (em, asked) => proposalsBySubmission(em, { salesChannelId: 'large' }, asked),
    ...Object.fromEntries(
      (['PENDING', 'ACCEPTED', 'REJECTED'] as const).flatMap((status) => [
        [
          `${status} proposals to a channel`,
          (em, asked) => proposalsBySubmission(em, { salesChannelId: 'large', status }, asked),
        ],
        [`${status} proposals to all`, (em, asked) => pageOfProposals(em, { status }, asked)],
        [
          `${status} proposals of an account holder`,
          (em, asked) => pageOfProposals(em, { status, accountHolderId: 'holder-of-many' }, asked),
        ],
      ]),
    ),
    'all proposals': (em, asked) => pageOfProposals(em, {}, asked),
    'proposals of an account holder': (em, asked) => pageOfProposals(em, { accountHolderId: 'holder-of-many' }, asked),
  },
  others: {
    'traders of all channels by a part of their name': (em) => findNamed(em, 'ebra'),
    'the traders of an account holder': (em) => findTradersOfHolder(em, 'holder-of-many'),
    'what traders are called': (em) =>
      findNamedParties(
        em,
        [2, 4, 40_000].map((n) => ({ salesChannelId: 'large', traderId: `trader-${n}` })),
      ),
  },
});
