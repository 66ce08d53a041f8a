import type { ComponentProps } from 'react';
import { translate } from '../../../shared/i18n/messages.ts';
import { FormDialog } from '../../../shared/ui/action-dialog.tsx';
import { CountryChoice } from '../../../shared/ui/country-choice.tsx';
import { Field } from '../../../shared/ui/form.tsx';
import type { Trader } from '../../traders/traders.tsx';
import { addressFields, diffTrader, pointers, readTrader, useCreateTrader, useUpdateTrader } from './trader-changes.ts';

const text = translate({
  name: 'Name',
  businessId: 'Business id',
  city: 'City',
  country: 'Country',
  street: 'Street',
  zipCode: 'Postal code',
  poBox: 'PO box',
  create: 'Create trader',
  editTitle: (name: string) => `Edit ${name}`,
  save: 'Save changes',
});

const LENGTH_AT_MOST = 200;

const addressLabels = {
  street: text.street,
  zipCode: text.zipCode,
  city: text.city,
  poBox: text.poBox,
  countryName: text.country,
} as const;

interface TraderFormProps extends Omit<ComponentProps<typeof FormDialog>, 'pointers' | 'children'> {
  readonly trader?: Trader;
}

const TraderForm = ({ trader, ...dialog }: TraderFormProps) => (
  <FormDialog {...dialog} pointers={pointers}>
    {(faultAt) => (
      <>
        <Field
          label={text.name}
          name="name"
          required
          maxLength={LENGTH_AT_MOST}
          defaultValue={trader?.name}
          fault={faultAt('/name')}
        />
        <Field
          label={text.businessId}
          name="businessId"
          required
          maxLength={LENGTH_AT_MOST}
          defaultValue={trader?.businessId}
          fault={faultAt('/businessId')}
        />
        {addressFields.map((name) => {
          const field = {
            label: addressLabels[name],
            name,
            defaultValue: trader?.address[name],
            fault: faultAt(`/address/${name}`),
          };
          // The API specifies a country name here.
          if (name === 'countryName') return <CountryChoice key={name} {...field} holds="name" />;
          return <Field key={name} {...field} maxLength={LENGTH_AT_MOST} />;
        })}
      </>
    )}
  </FormDialog>
);

export function CreateTrader({ onClose }: { onClose(): void }) {
  const creation = useCreateTrader();
  return (
    <TraderForm
      title={text.create}
      button={text.create}
      change={creation}
      onSubmit={(form) => creation.mutate(readTrader(form), { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}

export function EditTrader({ trader, onClose }: { readonly trader: Trader; onClose(): void }) {
  const update = useUpdateTrader(trader.id);
  const submit = (form: FormData): void => {
    const changes = diffTrader(form, trader);
    if (Object.keys(changes).length === 0) onClose();
    else update.mutate(changes, { onSuccess: onClose });
  };
  return (
    <TraderForm
      title={text.editTitle(trader.name)}
      button={text.save}
      trader={trader}
      change={update}
      onSubmit={submit}
      onClose={onClose}
    />
  );
}
