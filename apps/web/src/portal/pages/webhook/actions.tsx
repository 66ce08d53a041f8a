import { api, unwrapData, type Schemas } from '../../../shared/api/client.ts';
import { formatNumber } from '../../../shared/format/numbers.ts';
import { translate } from '../../../shared/i18n/messages.ts';
import type { DialogAction } from '../../../shared/ui/action-dialog.tsx';
import { Field } from '../../../shared/ui/form.tsx';
import styles from '../../portal.module.css';
import { EndpointFields } from '../../webhooks/endpoint-fields.tsx';
import { endpointName, endpointKey, listKey, rotateSecret, type Endpoint } from '../../webhooks/endpoints.ts';
import { diffEndpoint, formatInputTime, pointers, readUtcTime } from '../../webhooks/form.ts';

const text = translate({
  editTitle: (name: string) => `Edit the endpoint ${name}`,
  editWhy: 'A new URL receives all future and all pending messages.',
  editDo: 'Save changes',
  enableTitle: (name: string) => `Enable the endpoint ${name}`,
  enableWhy:
    'Delivery resumes at the event where it stopped. Pending messages are sent immediately, and their attempts start ' +
    'over.',
  enableDo: 'Enable endpoint',
  disableTitle: (name: string) => `Disable the endpoint ${name}`,
  disableWhy:
    'Nothing more is sent. Events stay in the log, and all of them are sent when the endpoint is enabled again.',
  disableDo: 'Disable endpoint',
  rotateTitle: (name: string) => `Rotate the secret of the endpoint ${name}`,
  rotateWhy:
    'While the old secret still signs, each message carries a signature by both secrets. Give the receiver the new ' +
    'secret during that time.',
  overlap: 'Hours until the old secret expires',
  overlapHint: '0 to 72. With 0 the old secret expires immediately: use 0 for a leaked secret.',
  rotateDo: 'Create new secret',
  deleteTitle: (name: string) => `Delete the endpoint ${name}`,
  deleteWhy: (pending: number) =>
    (pending === 0
      ? 'Nothing more is sent.'
      : `Nothing more is sent. Dropped pending messages: ${formatNumber(pending)}.`) +
    ' The secrets and the delivery records are deleted. The events stay in the log.',
  deleteDo: 'Delete endpoint',
  replayTitle: (name: string) => `Replay events to ${name}`,
  replayWhy:
    'Events of a period are sent again with their original ids, so the receiver can recognize duplicates. New events ' +
    'do not wait for them.',
  replayFrom: 'Recorded from, UTC',
  replayTo: 'Recorded before, UTC',
  replayToHint: 'If empty: up to now.',
  replayFailed: 'Only failed deliveries',
  replayDo: 'Start replay',
});

const PATH = '/saleschannel-services/v1/webhook-endpoints/{webhookEndpointId}';
const OVERLAP_HOURS = { default: 24, max: 72 };
const DAY_MS = 86_400_000;
/** Latest input. Without a limit, browsers accept six-digit years, which the API rejects. */
const LATEST = '9999-12-31T23:59';

const toParams = ({ id: webhookEndpointId }: Endpoint) => ({ params: { path: { webhookEndpointId } } });
const changedKeys = ({ id }: Endpoint) => [listKey, endpointKey(id)];

const update = (endpoint: Endpoint, body: Schemas['WebhookEndpointUpdate']): Promise<Endpoint> =>
  unwrapData(api.PATCH(PATH, { ...toParams(endpoint), body }));

export const editAction = (endpoint: Endpoint): DialogAction<Endpoint> => ({
  title: text.editTitle(endpointName(endpoint)),
  description: text.editWhy,
  button: text.editDo,
  pointers,
  fields: (faultAt) => <EndpointFields before={endpoint} faultAt={faultAt} />,
  async send(form) {
    const changes = diffEndpoint(form, endpoint);
    return Object.keys(changes).length === 0 ? endpoint : update(endpoint, changes);
  },
  changes: changedKeys(endpoint),
});

export const enableAction = (endpoint: Endpoint): DialogAction<Endpoint> => ({
  title: text.enableTitle(endpointName(endpoint)),
  description: text.enableWhy,
  button: text.enableDo,
  send: () => update(endpoint, { status: 'ENABLED' }),
  changes: changedKeys(endpoint),
});

export const disableAction = (endpoint: Endpoint): DialogAction<Endpoint> => ({
  title: text.disableTitle(endpointName(endpoint)),
  description: text.disableWhy,
  button: text.disableDo,
  look: 'danger',
  send: () => update(endpoint, { status: 'DISABLED' }),
  changes: changedKeys(endpoint),
});

export const deleteAction = (endpoint: Endpoint, after: () => void): DialogAction<Endpoint> => ({
  title: text.deleteTitle(endpointName(endpoint)),
  description: text.deleteWhy(endpoint.pendingDeliveries),
  isIrreversible: true,
  button: text.deleteDo,
  look: 'danger',
  send: () => unwrapData(api.DELETE(PATH, toParams(endpoint))),
  changes: [listKey],
  onSuccess: after,
});

type Rotated = Schemas['CreatedWebhookEndpoint'];

export const rotateAction = (endpoint: Endpoint, after: (rotated: Rotated) => void): DialogAction<Rotated> => ({
  title: text.rotateTitle(endpointName(endpoint)),
  description: text.rotateWhy,
  button: text.rotateDo,
  pointers: ['/overlapHours'],
  fields: (faultAt) => (
    <Field
      label={text.overlap}
      hint={text.overlapHint}
      name="overlapHours"
      type="number"
      min={0}
      max={OVERLAP_HOURS.max}
      required
      defaultValue={OVERLAP_HOURS.default}
      fault={faultAt('/overlapHours')}
    />
  ),
  send: (form) => rotateSecret(endpoint.id, Number(form.get('overlapHours'))),
  changes: changedKeys(endpoint),
  onSuccess: after,
});

export const replayAction = (endpoint: Endpoint): DialogAction<Schemas['WebhookReplay']> => ({
  title: text.replayTitle(endpointName(endpoint)),
  description: text.replayWhy,
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
        defaultValue={formatInputTime(Date.now() - DAY_MS)}
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
    const to = readUtcTime(form, 'to');
    const body = {
      from: readUtcTime(form, 'from') ?? String(),
      failedOnly: form.has('failedOnly'),
      ...(to !== undefined && { to }),
    };
    return unwrapData(api.POST(`${PATH}/replay`, { ...toParams(endpoint), body }));
  },
  changes: changedKeys(endpoint),
});
