import { digits } from '../../../shared/format/numbers.ts';
import { translated } from '../../../shared/i18n/messages.ts';

export const text = translated({
  title: 'Start',
  nobody: 'You belong to no sales channel and to no account holder yet.',
  nobodyChannel:
    'To work for a sales channel, open the invitation that one of its role administrators made for you, or give them ' +
    'your user id.',
  nobodyHolder: 'To see what an account holder owns, give your user id to those who run this service.',
  noRoles: (channel: string) =>
    `You work for ${channel} and have no roles there yet. A role administrator grants them: give them your user id.`,
  userId: 'Your user id',
  inventory: 'Inventory',
  trader: 'Of the trader',
  traders: 'Traders',
  city: 'City',
  country: 'Country',
  toTraders: 'All traders',
  proposals: 'Proposals',
  proposalsWait: (count: number) =>
    count === 1 ? '1 account holder wants to become a trader.' : `${digits(count)} account holders want to be traders.`,
  toProposals: 'To the proposals',
  holdings: 'Holdings',
  noHoldings: 'The account holder has no bundles yet. They come with an issuance of the registry.',
  toHoldings: 'All holdings',
  decisions: 'Waits for your decision',
  noDecisions: 'No transaction waits for you.',
  toApprovals: 'To the approvals',
  toAllApprovals: (count: number) => `To all ${digits(count)} approvals`,
  age: 'Waits for',
  type: 'Type',
  channel: 'Sales channel',
  buyer: 'Buyer',
  volume: 'Volume, t',
  listings: 'Listings',
  unlisted: 'No sales channel has accepted you as a trader yet, so nobody can buy what you own.',
  apply: 'Apply to a sales channel',
});
