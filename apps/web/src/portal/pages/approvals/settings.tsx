import { useState } from 'react';
import { countryName } from '../../../shared/format/countries.ts';
import { translate } from '../../../shared/i18n/messages.ts';
import { FormDialog } from '../../../shared/ui/action-dialog.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { CountryChoice } from '../../../shared/ui/country-choice.tsx';
import { ConfirmDialog } from '../../../shared/ui/dialog.tsx';
import { readText } from '../../../shared/ui/form-text.ts';
import { Field, Switch } from '../../../shared/ui/form.tsx';
import { Facts } from '../../../shared/ui/page.tsx';
import { Failure, Read } from '../../../shared/ui/state.tsx';
import {
  addressFields,
  addressPointers,
  diffAddress,
  useOwnHolder,
  useUpdateOwnHolder,
  type AccountHolder,
} from '../../holder/holder.ts';

const text = translate({
  settings: 'Sales settings',
  auto: 'Approve sales automatically',
  autoOn: 'Transactions that a sales channel starts for you are carried out immediately.',
  autoOff: 'Each transaction that a sales channel starts for you waits here for your approval.',
  autoTurnOn: 'Approve sales automatically?',
  autoTurnOnWhy:
    'Your sales channels can then sell, retire and offramp the certificates listed there without asking you. ' +
    'Transactions that are already pending stay pending.',
  autoDo: 'Approve automatically',
  name: 'Account holder',
  businessId: 'Business id',
  address: 'Address',
  changeAddress: 'Change address',
  saveAddress: 'Save address',
  street1: 'Street',
  street2: 'Second line',
  postalCode: 'Postal code',
  city: 'City',
  country: 'Country',
});

const LENGTH_AT_MOST = 200;

function EditAddress({ holder, onClose }: { readonly holder: AccountHolder; onClose(): void }) {
  const update = useUpdateOwnHolder();
  const submit = (form: FormData): void => {
    const address = diffAddress((name) => readText(form, name), holder.address);
    if (Object.keys(address).length === 0) onClose();
    else update.mutate({ address }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title={text.changeAddress}
      button={text.saveAddress}
      change={update}
      pointers={addressPointers}
      onSubmit={submit}
      onClose={onClose}
    >
      {(faultAt) =>
        addressFields.map((name) => {
          const field = {
            label: text[name],
            name,
            required: name !== 'street2',
            defaultValue: holder.address[name] ?? undefined,
            fault: faultAt(`/address/${name}`),
          };
          if (name === 'country') return <CountryChoice key={name} {...field} holds="code" />;
          return <Field key={name} {...field} maxLength={LENGTH_AT_MOST} />;
        })
      }
    </FormDialog>
  );
}

function AutoApproval({ holder }: { readonly holder: AccountHolder }) {
  const update = useUpdateOwnHolder();
  const [isAsking, setAsking] = useState(false);
  const set = (autoApproval: boolean): void => update.mutate({ autoApproval }, { onSuccess: () => setAsking(false) });
  return (
    <>
      <Switch
        label={text.auto}
        isOn={holder.autoApproval}
        busy={update.isPending}
        onChange={(isOn) => (isOn ? setAsking(true) : set(false))}
      />
      <p role="status">{holder.autoApproval ? text.autoOn : text.autoOff}</p>
      {isAsking ? (
        <ConfirmDialog
          title={text.autoTurnOn}
          look="primary"
          button={text.autoDo}
          change={update}
          onConfirm={() => set(true)}
          onClose={() => setAsking(false)}
        >
          <p>{text.autoTurnOnWhy}</p>
        </ConfirmDialog>
      ) : (
        update.error && <Failure error={update.error} />
      )}
    </>
  );
}

function Own({ holder }: { readonly holder: AccountHolder }) {
  const [isEditing, setEditing] = useState(false);
  const { street1, street2, postalCode, city, country } = holder.address;
  const lines = [street1, street2, `${postalCode} ${city}`.trim(), countryName(country)].filter(Boolean);
  return (
    <>
      <AutoApproval holder={holder} />
      <Facts
        of={[
          [text.name, holder.name],
          [text.businessId, holder.businessId],
          [text.address, lines.join(', ')],
        ]}
      />
      <Button onClick={() => setEditing(true)}>{text.changeAddress}</Button>
      {isEditing && <EditAddress holder={holder} onClose={() => setEditing(false)} />}
    </>
  );
}

/** Settings of the account holder: automatic approval and address. */
export function Settings() {
  return (
    <section>
      <h2>{text.settings}</h2>
      <Read of={useOwnHolder()}>{(holder) => <Own holder={holder} />}</Read>
    </section>
  );
}
