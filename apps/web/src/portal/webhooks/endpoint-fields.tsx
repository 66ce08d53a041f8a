import { useState } from 'react';
import { translate } from '../../shared/i18n/messages.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Select, Field, Group } from '../../shared/ui/form.tsx';
import { Secret } from '../../shared/ui/page.tsx';
import styles from '../portal.module.css';
import type { Endpoint } from './endpoints.ts';
import { DESCRIPTION_AT_MOST, eventTypes, URL_AT_MOST } from './form.ts';
import { deliveryLabel } from './labels.tsx';

const text = translate({
  inOrder: 'One at a time, in order',
  anyOrder: 'Up to eight at once',
  url: 'Endpoint URL',
  urlHint: 'Must use https and be reachable from the internet. Messages are sent as POST requests.',
  description: 'Description',
  descriptionHint: 'Helps you recognize the receiver, for example "Order system".',
  which: 'Events',
  whichAll: 'All types, including future ones',
  whichChosen: 'Selected types',
  types: 'Types',
  order: 'Order',
  orderHint:
    'One at a time: each event waits until the previous one is delivered, so an event that cannot be delivered ' +
    'blocks all later events.',
  secretTitle: 'Endpoint secret',
  secretOnce: 'The secret is shown only once. Copy it now and give it to the receiver.',
  secretUse: 'The receiver verifies messages with it: each message is signed according to Standard Webhooks.',
  secret: 'Secret',
  copied: 'I have copied it',
});

interface EndpointFieldsProps {
  readonly before?: Pick<Endpoint, 'url' | 'description' | 'eventTypes' | 'ordered'>;
  faultAt(pointer: string): string | undefined;
}

/** Form fields of an endpoint, for creation and changes. */
export function EndpointFields({ before, faultAt }: EndpointFieldsProps) {
  const known = before?.eventTypes ?? null;
  const [isChosen, setChosen] = useState(known !== null);
  return (
    <>
      <Field
        label={text.url}
        hint={text.urlHint}
        name="url"
        type="url"
        required
        maxLength={URL_AT_MOST}
        defaultValue={before?.url}
        fault={faultAt('/url')}
      />
      <Field
        label={text.description}
        hint={text.descriptionHint}
        name="description"
        maxLength={DESCRIPTION_AT_MOST}
        defaultValue={before?.description ?? undefined}
        fault={faultAt('/description')}
      />
      <Select
        label={text.which}
        name="which"
        defaultValue={isChosen ? 'chosen' : 'all'}
        onChange={({ target }) => setChosen(target.value === 'chosen')}
      >
        <option value="all">{text.whichAll}</option>
        <option value="chosen">{text.whichChosen}</option>
      </Select>
      {isChosen && (
        <Group legend={text.types} isRequired fault={faultAt('/eventTypes')}>
          {eventTypes.map((type) => (
            <label key={type} className={styles['tick']}>
              <input type="checkbox" name="eventTypes" value={type} defaultChecked={known?.includes(type) ?? true} />
              <span>
                {deliveryLabel(type)} <code>{type}</code>
              </span>
            </label>
          ))}
        </Group>
      )}
      <Select
        label={text.order}
        hint={text.orderHint}
        name="ordered"
        defaultValue={before?.ordered === true ? 'yes' : 'no'}
        fault={faultAt('/ordered')}
      >
        <option value="no">{text.anyOrder}</option>
        <option value="yes">{text.inOrder}</option>
      </Select>
    </>
  );
}

/** Shows the endpoint secret once. Escape does not close it. */
export const SecretDialog = ({ secret, onCopied }: { readonly secret: string; onCopied(): void }) => (
  <Dialog
    title={text.secretTitle}
    actions={
      <Button look="primary" onClick={onCopied}>
        {text.copied}
      </Button>
    }
  >
    <p>{text.secretOnce}</p>
    <p>{text.secretUse}</p>
    <Secret parts={[[text.secret, secret]]} />
  </Dialog>
);
