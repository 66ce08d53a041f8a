import { groupFaults } from '../../../shared/api/problem.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { CountryChoice } from '../../../shared/ui/country-choice.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Field, Form } from '../../../shared/ui/form.tsx';
import { Failure } from '../../../shared/ui/state.tsx';
import type { Trader } from '../../traders/traders.tsx';
import { translate } from '../../../shared/i18n/messages.ts';
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
  createTrader: 'Create trader',
  editTitle: (name: string) => `Edit ${name}`,
  save: 'Save changes',
  cancel: 'Cancel',
});

const LENGTH_AT_MOST = 200;

const addressLabels = {
  street: text.street,
  zipCode: text.zipCode,
  city: text.city,
  poBox: text.poBox,
  countryName: text.country,
} as const;

interface TraderFormProps {
  readonly title: string;
  readonly action: string;
  readonly trader?: Trader;
  readonly error: Error | null;
  readonly isPending: boolean;
  onSubmit(form: FormData): void;
  onClose(): void;
}

function TraderForm({ title, action, trader, error, isPending, onSubmit, onClose }: TraderFormProps) {
  const { atFields, others } = groupFaults(error, pointers);
  const isUnexplained = error !== null && atFields.size + others.length === 0;
  return (
    <Dialog title={title} actions={null} onClose={onClose}>
      <Form
        onSubmit={onSubmit}
        faults={others}
        actions={
          <>
            <Button onClick={onClose}>{text.cancel}</Button>
            <Button type="submit" look="primary" busy={isPending}>
              {action}
            </Button>
          </>
        }
      >
        <Field
          label={text.name}
          name="name"
          required
          maxLength={LENGTH_AT_MOST}
          defaultValue={trader?.name}
          fault={atFields.get('/name')}
        />
        <Field
          label={text.businessId}
          name="businessId"
          required
          maxLength={LENGTH_AT_MOST}
          defaultValue={trader?.businessId}
          fault={atFields.get('/businessId')}
        />
        {addressFields.map((name) => {
          const field = {
            label: addressLabels[name],
            name,
            defaultValue: trader?.address[name],
            fault: atFields.get(`/address/${name}`),
          };
          // The API specifies a country name here.
          if (name === 'countryName') return <CountryChoice key={name} {...field} holds="name" />;
          return <Field key={name} {...field} maxLength={LENGTH_AT_MOST} />;
        })}
        {isUnexplained && <Failure error={error} />}
      </Form>
    </Dialog>
  );
}

export function CreateTrader({ onClose }: { onClose(): void }) {
  const creation = useCreateTrader();
  return (
    <TraderForm
      title={text.create}
      action={text.createTrader}
      error={creation.error}
      isPending={creation.isPending}
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
      action={text.save}
      trader={trader}
      error={update.error}
      isPending={update.isPending}
      onSubmit={submit}
      onClose={onClose}
    />
  );
}
