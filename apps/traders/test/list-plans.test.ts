import { planTests } from '@saleschannel/testing/plan-tests';
import { findByName } from '../src/store/look-up.ts';
import { selectProposalsWithTotal, selectProposals } from '../src/store/proposals.ts';
import { schema } from '../src/store/schema.ts';
import { findNamedParties, findTradersOfHolder, selectTraders } from '../src/store/traders.ts';

/**
 * Two channels with 20,000 traders each, alternating. Proposals of 40,000 account holders: nearly all accepted, the
 * last ones pending, and three of the channel `large` rejected, including the very last. One account holder has
 * proposals to 200 channels.
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
    'traders of a channel': (em, page) => selectTraders(em, 'large', {}, page),
    'traders by a common name prefix': (em, page) => selectTraders(em, 'large', { namePrefix: 'trader' }, page),
    'traders by a rare name prefix': (em, page) => selectTraders(em, 'large', { namePrefix: 'zEBRA' }, page),
    'traders by a rare part of a name': (em, page) => selectTraders(em, 'large', { namePart: 'ÉBRa' }, page),
    'traders by name': (em, page) => selectTraders(em, 'large', {}, page, { by: 'name', descending: false }),
    'traders by name, descending': (em, page) => selectTraders(em, 'large', {}, page, { by: 'name', descending: true }),
    'traders, newest first': (em, page) => selectTraders(em, 'large', {}, page, { by: 'createdAt', descending: true }),
    'traders by business id': (em, page) => selectTraders(em, 'large', { businessId: 'BUSINESS-40000' }, page),
    'proposals to a channel by a part of a name': (em, page) =>
      selectProposals(em, { salesChannelId: 'large', search: { salesChannelId: 'large', text: 'p 3999' } }, page),
    'proposals to a channel by id': (em, page) =>
      selectProposals(
        em,
        { salesChannelId: 'large', search: { salesChannelId: 'large', text: 'proposal-20000' } },
        page,
      ),
    'proposals to a channel': (em, page) => selectProposals(em, { salesChannelId: 'large' }, page),
    ...Object.fromEntries(
      (['PENDING', 'ACCEPTED', 'REJECTED'] as const).flatMap((status) => [
        [
          `${status} proposals to a channel`,
          (em, page) => selectProposals(em, { salesChannelId: 'large', status }, page),
        ],
        [`${status} proposals to all`, (em, page) => selectProposalsWithTotal(em, { status }, page)],
        [
          `${status} proposals of an account holder`,
          (em, page) => selectProposalsWithTotal(em, { status, accountHolderId: 'holder-of-many' }, page),
        ],
      ]),
    ),
    'all proposals': (em, page) => selectProposalsWithTotal(em, {}, page),
    'proposals of an account holder': (em, page) =>
      selectProposalsWithTotal(em, { accountHolderId: 'holder-of-many' }, page),
  },
  others: {
    'traders of all channels by a part of their name': (em) => findByName(em, 'ebra'),
    'the traders of an account holder': (em) => findTradersOfHolder(em, 'holder-of-many'),
    'names of traders': (em) =>
      findNamedParties(
        em,
        [2, 4, 40_000].map((n) => ({ salesChannelId: 'large', traderId: `trader-${n}` })),
      ),
  },
});
