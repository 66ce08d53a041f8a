import { digits } from '../../../shared/format/numbers.ts';
import { translated } from '../../../shared/i18n/messages.ts';

export const text = translated({
  title: 'Start',
  nobody: 'You do not belong to a sales channel or an account holder yet.',
  nobodyChannel:
    'To work for a sales channel, open the invitation from one of its role administrators, or give them your user id.',
  nobodyHolder: 'To see the certificates of an account holder, give your user id to the operators of this service.',
  noRoles: (channel: string) =>
    `You work for ${channel} but have no roles there yet. Give your user id to a role administrator, who grants roles.`,
  userId: 'Your user id',
  inventory: 'Inventory',
  trader: 'Trader',
  traders: 'Traders',
  city: 'City',
  country: 'Country',
  toTraders: 'View all traders',
  proposals: 'Proposals',
  proposalsWait: (count: number) =>
    count === 1
      ? '1 account holder wants to become a trader.'
      : `${digits(count)} account holders want to become traders.`,
  toProposals: 'View proposals',
  holdings: 'Holdings',
  noHoldings: 'The account holder has no bundles yet. Bundles appear when the registry issues certificates.',
  toHoldings: 'View all holdings',
  decisions: 'Awaiting your decision',
  noDecisions: 'No transactions await your decision.',
  toApprovals: 'View approvals',
  toAllApprovals: (count: number) => `View all ${digits(count)} approvals`,
  age: 'Waiting',
  type: 'Type',
  channel: 'Sales channel',
  buyer: 'Buyer',
  volume: 'Volume, t',
  listings: 'Listings',
  unlisted: 'No sales channel has accepted you as a trader yet, so your certificates are not on sale.',
  apply: 'Apply to a sales channel',
});
