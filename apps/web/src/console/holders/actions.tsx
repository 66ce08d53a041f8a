import { unwrapData } from '../../shared/api/client.ts';
import type { DialogAction } from '../../shared/ui/action-dialog.tsx';
import { CountryChoice } from '../../shared/ui/country-choice.tsx';
import { readRequiredText, readText } from '../../shared/ui/form-text.ts';
import { Select, Field } from '../../shared/ui/form.tsx';
import { operations } from '../api.ts';
import { Affected } from '../people/affected.tsx';
import { holdersKey, type Holder } from '../people/holders.ts';
import { Reason } from '../people/status.tsx';
import { text as common } from '../people/text.ts';
import { text } from './text.ts';

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
  pointers: ['/reason'],
  fields: (faultAt) => (
    <>
      {affected(holder)}
      <Reason fault={faultAt('/reason')} />
    </>
  ),
  send: (form) =>
    unwrapData(
      operations.POST('/account-holders/{accountHolderId}/suspend', {
        params: toPathParameters(holder),
        body: { reason: readRequiredText(form, 'reason') },
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
