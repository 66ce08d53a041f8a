import { instant, interaction, text } from '@saleschannel/testing/contracts';
import { matchDocument } from '../../support/public-contract.ts';

type OfHolder = Readonly<Record<'holder', string>>;
const asRegistry = ({ holder }: OfHolder) => ({ kind: 'registry', accountHolderId: holder }) as const;
const asHolder = ({ holder }: OfHolder) => ({ accountHolderId: holder });

const page = { limit: 100, offset: '0' };
const address = { postalCode: '3208', city: 'Sandefjord', country: 'Norway', street1: 'Ranvikveien 9' };
const createHolder = (accountHolderId: string) => ({
  accountHolderId,
  name: text('Havkalk'),
  businessId: text('NO-2'),
  address: { ...address, street2: undefined },
  autoApproval: true,
  registeredOn: instant('2025-02-01T09:00:00.000Z'),
  kind: 'HOLDER',
  status: 'ACTIVE',
});
const registered = 'an account holder';
const known = { holder: 'h1', businessId: 'NO-2' };

const onboarded = 'an account holder with a trader';
const moving = { holder: 'h1', channel: 'c1', trader: 't1', key: 'key-1' };
const assets = [{ start: 'i1_1', end: 'i1_5' }];
const moved = (operation: string, { holder: sellerId, channel, trader: buyerId }: typeof moving) => ({
  transactionId: text('x1'),
  transaction: { data: matchDocument(operation, { type: 'ONRAMP', sellerId, buyerId, salesChannelId: channel }) },
  replayed: false,
});

const proposed = 'a proposal that an account holder made';
const proposing = { holder: 'h1', channel: 'c1', proposal: 'p1' };
const createProposal = (
  id: unknown,
  { holder: accountHolderId, channel: salesChannelId }: typeof moving | typeof proposing,
) =>
  ({
    id,
    accountHolderId,
    salesChannelId,
    name: text('Havkalk'),
    businessId: text('NO-2'),
    status: 'PENDING',
    onboardedTraderId: undefined,
  }) as { id: string };

/** The registry and users of account holders read and change these. */
export const accountHolderRequirements = [
  interaction('registryImport.ListAccountHolders', {
    given: registered,
    values: known,
    as: asRegistry,
    request: ({ businessId }) => ({ page, businessId }),
    answer: ({ holder }) => ({ total: '1', accountHolders: [createHolder(holder)], next: undefined }),
  }),
  interaction('registryImport.ListAccountHolders', {
    given: registered,
    values: { ...known, name: 'Havkalk' },
    as: asRegistry,
    request: ({ businessId, name }) => ({ page, businessId, namePart: name }),
    answer: ({ holder }) => ({ total: '1', accountHolders: [createHolder(holder)], next: undefined, searched: true }),
  }),
  interaction('registryImport.GetAccountHolder', {
    given: registered,
    values: known,
    as: asRegistry,
    request: ({ holder }) => ({ accountHolderId: holder }),
    answer: ({ holder }) => createHolder(holder),
  }),
  interaction('registryImport.GetAccountHolder', {
    given: 'an id of no account holder',
    values: { holder: 'h9' },
    as: asRegistry,
    request: ({ holder }) => ({ accountHolderId: holder }),
    refusal: 'not-found',
  }),
  interaction('registryImport.CreateAccountHolder', {
    given: 'a business that is no account holder',
    values: { holder: 'h1', newBusiness: 'NO-3' },
    as: asRegistry,
    request: ({ newBusiness: businessId }) => ({ content: { name: 'Havkalk', businessId, address } }),
    answer: ({ newBusiness: businessId }) => ({
      accountHolder: { ...createHolder('h3'), accountHolderId: text('h3'), businessId },
      created: true,
    }),
  }),
  interaction('registryImport.UpdateAccountHolder', {
    given: registered,
    values: known,
    as: asRegistry,
    request: ({ holder }) => ({ accountHolderId: holder, mergePatchJson: '{"autoApproval":false}' }),
    answer: ({ holder }) => ({ ...createHolder(holder), autoApproval: false }),
  }),
  interaction('registryImport.Onramp', {
    given: onboarded,
    values: moving,
    as: asRegistry,
    request: ({ holder, channel, key }) => ({
      accountHolderId: holder,
      salesChannelId: channel,
      idempotencyKey: key,
      assets,
    }),
    answer: (values) => moved('onramp', values),
  }),
  interaction('registryImport.SubmitProposal', {
    given: onboarded,
    values: moving,
    as: asRegistry,
    request: ({ holder, channel }) => ({ accountHolderId: holder, salesChannelId: channel }),
    answer: (values) => createProposal(text('p1'), values),
  }),
  interaction('registryImport.ListSubmittedProposals', {
    given: proposed,
    values: proposing,
    as: asRegistry,
    request: ({ holder }) => ({ page, accountHolderId: holder }),
    answer: (values) => ({ total: '1', proposals: [createProposal(values.proposal, values)], next: undefined }),
  }),
  interaction('registryImport.GetSubmittedProposal', {
    given: proposed,
    values: proposing,
    as: asRegistry,
    request: ({ proposal: proposalId }) => ({ proposalId }),
    answer: (values) => createProposal(values.proposal, values),
  }),
  interaction('holderPortal.GetOwnHolder', {
    given: registered,
    values: known,
    as: asHolder,
    request: () => ({}),
    answer: ({ holder }) => createHolder(holder),
  }),
  interaction('holderPortal.UpdateOwnHolder', {
    given: registered,
    values: known,
    as: asHolder,
    request: () => ({ mergePatchJson: '{"autoApproval":false}' }),
    answer: ({ holder }) => ({ ...createHolder(holder), autoApproval: false }),
  }),
  interaction('holderPortal.SubmitHolderProposal', {
    given: onboarded,
    values: moving,
    as: asHolder,
    request: ({ channel }) => ({ salesChannelId: channel }),
    answer: (values) => createProposal(text('p1'), values),
  }),
  interaction('holderPortal.OnrampHoldings', {
    given: onboarded,
    values: moving,
    as: asHolder,
    request: ({ channel, key }) => ({ salesChannelId: channel, idempotencyKey: key, assets }),
    answer: (values) => moved('onrampHoldings', values),
  }),
];
