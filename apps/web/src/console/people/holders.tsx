import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { unwrapData } from '../../shared/api/client.ts';
import { translate } from '../../shared/i18n/messages.ts';
import type { DialogAction } from '../../shared/ui/action-dialog.tsx';
import { CountryChoice } from '../../shared/ui/country-choice.tsx';
import { readRequiredText, readText } from '../../shared/ui/form-text.ts';
import { Select, Field } from '../../shared/ui/form.tsx';
import { useCursorSource, type RowSource } from '../../shared/ui/row-source.ts';
import { lookUp, operations, PAGE_SIZE, type Schemas } from '../api.ts';
import { Affected, readReason, withReason, text as common } from './suspension.tsx';

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

export type Holder = Schemas['Holder'];

const holdersKey = ['holders'];

export interface HolderFilters {
  /** Substring, ignoring case and accents. */
  readonly name?: string | undefined;
  readonly businessId?: string | undefined;
  readonly kind?: Holder['kind'] | undefined;
  readonly status?: Holder['status'] | undefined;
}

export const useHolders = ({ name, businessId, kind, status }: HolderFilters): RowSource<Holder> =>
  useCursorSource<Holder>({
    queryKey: [...holdersKey, name, businessId, kind, status],
    fetchPage: ({ after, signal }) => {
      const query = {
        limit: PAGE_SIZE,
        ...(after !== undefined && { after }),
        ...(name !== undefined && { nameContains: name }),
        ...(businessId !== undefined && { businessId }),
        ...(kind !== undefined && { kind }),
        ...(status !== undefined && { status }),
      };
      return unwrapData(operations.GET('/account-holders', { signal, params: { query } }));
    },
  });

/** Finds the business id by search, because the list filters by business id only. Null if the holder does not exist. */
export const useHolder = (accountHolderId: string): UseQueryResult<Holder | null> =>
  useQuery({
    queryKey: [...holdersKey, accountHolderId],
    async queryFn({ signal }) {
      const { found } = await lookUp(accountHolderId, signal);
      const businessId = found.find(({ kind }) => kind === 'account holder')?.facts['businessId'];
      if (businessId === undefined) return null;
      const { items } = await unwrapData(
        operations.GET('/account-holders', { signal, params: { query: { businessId } } }),
      );
      return items.find((holder) => holder.accountHolderId === accountHolderId) ?? null;
    },
  });

const changes = [holdersKey];

const MANUAL = 'manual';

const addressFields = [
  ['street1', text.street1],
  ['street2', text.street2],
  ['postalCode', text.postalCode],
  ['city', text.city],
  ['country', text.country],
] as const;

export const createHolder: DialogAction<Holder> = {
  title: text.create,
  description: text.createWhy,
  button: text.create,
  pointers: ['/name', '/businessId', ...addressFields.map(([name]) => `/address/${name}`)],
  fields: (faultAt) => (
    <>
      <Field label={text.name} name="name" required maxLength={200} fault={faultAt('/name')} />
      <Field label={text.businessId} name="businessId" required maxLength={200} fault={faultAt('/businessId')} />
      {addressFields.map(([name, label]) => {
        const field = { label, name, required: name !== 'street2', fault: faultAt(`/address/${name}`) };
        if (name === 'country') return <CountryChoice key={name} {...field} holds="code" />;
        return <Field key={name} {...field} />;
      })}
      <Select label={text.autoApproval} name="approval">
        <option value="automatic">{text.automatic}</option>
        <option value={MANUAL}>{text.manual}</option>
      </Select>
    </>
  ),
  send: (form) => {
    const street2 = readText(form, 'street2');
    const body = {
      name: readRequiredText(form, 'name'),
      businessId: readRequiredText(form, 'businessId'),
      autoApproval: form.get('approval') !== MANUAL,
      address: {
        street1: readRequiredText(form, 'street1'),
        ...(street2 !== undefined && { street2 }),
        postalCode: readRequiredText(form, 'postalCode'),
        city: readRequiredText(form, 'city'),
        country: readRequiredText(form, 'country'),
      },
    };
    return unwrapData(operations.POST('/account-holders', { body }));
  },
  changes,
};

const toPathParameters = ({ accountHolderId }: Holder) => ({ path: { accountHolderId } });

const affected = ({ accountHolderId }: Holder) => <Affected scope={{ accountHolderId }} />;

const suspend = (holder: Holder): DialogAction<Holder> => ({
  title: text.suspendTitle(holder.name),
  description: text.suspendWhy,
  button: common.suspend,
  look: 'danger',
  ...withReason(affected(holder)),
  send: (form) =>
    unwrapData(
      operations.POST('/account-holders/{accountHolderId}/suspend', {
        params: toPathParameters(holder),
        body: readReason(form),
      }),
    ),
  changes,
});

const resume = (holder: Holder): DialogAction<Holder> => ({
  title: text.resumeTitle(holder.name),
  description: text.resumeWhy,
  button: common.resume,
  fields: () => affected(holder),
  send: () =>
    unwrapData(operations.POST('/account-holders/{accountHolderId}/resume', { params: toPathParameters(holder) })),
  changes,
});

const setKind =
  (holder: Holder, kind: Holder['kind']): DialogAction<Holder>['send'] =>
  () =>
    unwrapData(
      operations.PUT('/account-holders/{accountHolderId}/kind', { params: toPathParameters(holder), body: { kind } }),
    );

const makeRegistry = (holder: Holder): DialogAction<Holder> => ({
  title: text.makeRegistryTitle(holder.name),
  description: text.makeRegistryWhy,
  button: text.makeRegistry,
  look: 'danger',
  fields: () => affected(holder),
  send: setKind(holder, 'REGISTRY'),
  changes,
});

const makeHolder = (holder: Holder): DialogAction<Holder> => ({
  title: text.makeHolderTitle(holder.name),
  description: text.makeHolderWhy,
  button: text.makeHolder,
  fields: () => affected(holder),
  send: setKind(holder, 'HOLDER'),
  changes,
});

/** Actions available for an account holder in its current state. */
export const listHolderActions = (holder: Holder): readonly DialogAction<Holder>[] => [
  holder.status === 'ACTIVE' ? suspend(holder) : resume(holder),
  holder.kind === 'HOLDER' ? makeRegistry(holder) : makeHolder(holder),
];
