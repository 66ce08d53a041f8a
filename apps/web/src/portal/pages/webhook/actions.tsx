import { api, dataOf, type Schemas } from '../../../shared/api/client.ts';
import type { Act } from '../../../shared/ui/action-dialog.tsx';
import { Field } from '../../../shared/ui/form.tsx';
import { EndpointFields } from '../../webhooks/endpoint-fields.tsx';
import { calledAs, endpointKey, listKey, rotateSecret, type Endpoint } from '../../webhooks/endpoints.ts';
import { changesOf, inputTime, pointers, utcOf } from '../../webhooks/form.ts';
import styles from '../../webhooks/webhooks.module.css';
import { text } from './text.ts';

const PATH = '/saleschannel-services/v1/webhook-endpoints/{webhookEndpointId}';
const OVERLAP_HOURS = { usual: 24, atMost: 72 };
const DAY_MS = 86_400_000;
/** Without it, browsers accept six-digit years, which the API rejects. */
const LATEST = '9999-12-31T23:59';

const of = ({ id: webhookEndpointId }: Endpoint) => ({ params: { path: { webhookEndpointId } } });
const changedKeys = ({ id }: Endpoint) => [listKey, endpointKey(id)];

const update = (endpoint: Endpoint, body: Schemas['WebhookEndpointUpdate']): Promise<Endpoint> =>
  dataOf(api.PATCH(PATH, { ...of(endpoint), body }));

export const edition = (endpoint: Endpoint): Act<Endpoint> => ({
  title: text.editTitle(calledAs(endpoint)),
  why: text.editWhy,
  button: text.editDo,
  pointers,
  fields: (faultAt) => <EndpointFields before={endpoint} faultAt={faultAt} />,
  async send(form) {
    const changes = changesOf(form, endpoint);
    return Object.keys(changes).length === 0 ? endpoint : update(endpoint, changes);
  },
  changes: changedKeys(endpoint),
});

export const enabling = (endpoint: Endpoint): Act<Endpoint> => ({
  title: text.enableTitle(calledAs(endpoint)),
  why: text.enableWhy,
  button: text.enableDo,
  send: () => update(endpoint, { status: 'ENABLED' }),
  changes: changedKeys(endpoint),
});

export const disabling = (endpoint: Endpoint): Act<Endpoint> => ({
  title: text.disableTitle(calledAs(endpoint)),
  why: text.disableWhy,
  button: text.disableDo,
  look: 'danger',
  send: () => update(endpoint, { status: 'DISABLED' }),
  changes: changedKeys(endpoint),
});

export const deletion = (endpoint: Endpoint, after: () => void): Act<Endpoint> => ({
  title: text.deleteTitle(calledAs(endpoint)),
  why: text.deleteWhy(endpoint.pendingDeliveries),
  isIrreversible: true,
  button: text.deleteDo,
  look: 'danger',
  send: () => dataOf(api.DELETE(PATH, of(endpoint))),
  changes: [listKey],
  after,
});

type Rotated = Schemas['CreatedWebhookEndpoint'];

export const rotation = (endpoint: Endpoint, after: (rotated: Rotated) => void): Act<Rotated> => ({
  title: text.rotateTitle(calledAs(endpoint)),
  why: text.rotateWhy,
  button: text.rotateDo,
  pointers: ['/overlapHours'],
  fields: (faultAt) => (
    <Field
      label={text.overlap}
      hint={text.overlapHint}
      name="overlapHours"
      type="number"
      min={0}
      max={OVERLAP_HOURS.atMost}
      required
      defaultValue={OVERLAP_HOURS.usual}
      fault={faultAt('/overlapHours')}
    />
  ),
  send: (form) => rotateSecret(endpoint.id, Number(form.get('overlapHours'))),
  changes: changedKeys(endpoint),
  after,
});

export const replaying = (endpoint: Endpoint): Act<Schemas['WebhookReplay']> => ({
  title: text.replayTitle(calledAs(endpoint)),
  why: text.replayWhy,
  button: text.replayDo,
  pointers: ['/from', '/to'],
  fields: (faultAt) => (
    <>
      <Field
        label={text.replayFrom}
        name="from"
        type="datetime-local"
        max={LATEST}
        required
        defaultValue={inputTime(Date.now() - DAY_MS)}
        fault={faultAt('/from')}
      />
      <Field
        label={text.replayTo}
        hint={text.replayToHint}
        name="to"
        type="datetime-local"
        max={LATEST}
        fault={faultAt('/to')}
      />
      <label className={styles['tick']}>
        <input type="checkbox" name="failedOnly" /> {text.replayFailed}
      </label>
    </>
  ),
  send(form) {
    const to = utcOf(form, 'to');
    const body = {
      from: utcOf(form, 'from') ?? String(),
      failedOnly: form.has('failedOnly'),
      ...(to !== undefined && { to }),
    };
    return dataOf(api.POST(`${PATH}/replay`, { ...of(endpoint), body }));
  },
  changes: changedKeys(endpoint),
});
