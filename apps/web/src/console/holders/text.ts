import { translate } from '../../shared/i18n/messages.ts';

export const text = translate({
  title: 'Account holders',
  one: 'Account holder',
  all: 'All account holders',
  none: 'There is no account holder with this id.',
  name: 'Name',
  nameContains: 'Name contains',
  businessId: 'Business id',
  kind: 'Kind',
  HOLDER: 'holder',
  REGISTRY: 'registry',
  registered: 'Registered, UTC',
  id: 'Id',
  address: 'Address',
  approval: 'Transactions',
  automatic: 'carried out immediately',
  manual: 'wait for approval by the account holder',
  users: 'Users of this account holder',
  create: 'Create account holder',
  createWhy:
    'If the business id is already registered with the same content, nothing changes. With different content, the ' +
    'request is refused.',
  postalCode: 'Postal code',
  city: 'City',
  country: 'Country',
  street1: 'Street',
  street2: 'Street, second line',
  autoApproval: 'Transactions',
  suspendTitle: (name: string) => `Suspend ${name}`,
  suspendWhy:
    'Its certificates can no longer be moved on any sales channel, and its registry keys are refused. You can resume ' +
    'the account holder later.',
  resumeTitle: (name: string) => `Resume ${name}`,
  resumeWhy: 'Its certificates can be moved again, and its registry keys are valid again.',
  makeRegistry: 'Make registry',
  makeRegistryTitle: (name: string) => `Make ${name} a registry`,
  makeRegistryWhy:
    'Its users can then create registry keys, which can write all registry data. Use this for the registry only.',
  makeHolder: 'Make holder',
  makeHolderTitle: (name: string) => `Make ${name} a holder only`,
  makeHolderWhy:
    'Its users can no longer create registry keys. Existing registry keys stay valid until they are revoked.',
  empty: 'There are no account holders yet.',
});
