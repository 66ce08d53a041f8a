import { useState } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../../../shared/api/client.ts';
import { formatNumber } from '../../../shared/format/numbers.ts';
import { formatDateTime } from '../../../shared/format/time.ts';
import { translate } from '../../../shared/i18n/messages.ts';
import { ActionDialog, type DialogAction } from '../../../shared/ui/action-dialog.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Page, Table, type TableColumn } from '../../../shared/ui/page.tsx';
import { Empty, Read } from '../../../shared/ui/state.tsx';
import { hasChannelRole, roleLabel, useMe } from '../../me.ts';
import styles from '../../portal.module.css';
import { EndpointFields, SecretDialog } from '../../webhooks/endpoint-fields.tsx';
import {
  endpointName,
  createEndpoint,
  endpointPath,
  listKey,
  useEndpoints,
  type Endpoint,
} from '../../webhooks/endpoints.ts';
import { readEndpoint, pointers } from '../../webhooks/form.ts';
import { EndpointStatus, orderLabel, typesLabel } from '../../webhooks/labels.tsx';

const text = translate({
  title: 'Webhooks',
  about:
    'Endpoints receive each event when it is recorded, as a signed message. Events that a receiver misses stay in ' +
    'the log and are sent later.',
  create: 'Create endpoint',
  createAbout: 'It receives all events recorded from now on.',
  createDo: 'Create endpoint',
  none: 'There are no endpoints yet.',
  needs: (role: string) => `Only users with the role ROLE_ADMINISTRATOR (${role}) can create and change endpoints.`,
  endpoint: 'Endpoint',
  state: 'State',
  types: 'Events',
  order: 'Order',
  pending: 'Pending',
  lastSuccess: 'Last success, UTC',
  failingSince: (time: string) => `failing since ${time}, UTC`,
  never: 'never',
});

const formatTimeOr = (none: string, at: string | null): string => (at === null ? none : formatDateTime(at));

const columns: readonly TableColumn<Endpoint>[] = [
  {
    name: text.endpoint,
    wraps: true,
    cell: (endpoint) => (
      <span className={styles['address']}>
        <Link href={endpointPath(endpoint.id)}>{endpointName(endpoint)}</Link>
        <span className={styles['beginning']}>{endpoint.url}</span>
      </span>
    ),
  },
  {
    name: text.state,
    wraps: true,
    cell: (endpoint) => (
      <>
        <EndpointStatus endpoint={endpoint} />
        {endpoint.failingSince !== null && (
          <>
            <br />
            <span className={styles['aside']}>{text.failingSince(formatDateTime(endpoint.failingSince))}</span>
          </>
        )}
      </>
    ),
  },
  { name: text.lastSuccess, cell: ({ lastSuccessAt }) => formatTimeOr(text.never, lastSuccessAt) },
  { name: text.pending, align: 'end', cell: ({ pendingDeliveries }) => formatNumber(pendingDeliveries) },
  { name: text.types, wraps: true, cell: typesLabel },
  { name: text.order, wraps: true, cell: orderLabel },
];

type Created = Schemas['CreatedWebhookEndpoint'];

const createAction = (after: (created: Created) => void): DialogAction<Created> => ({
  title: text.create,
  description: text.createAbout,
  button: text.createDo,
  pointers,
  fields: (faultAt) => <EndpointFields faultAt={faultAt} />,
  send: (form) => createEndpoint(readEndpoint(form)),
  changes: [listKey],
  onSuccess: after,
});

interface EndpointsProps {
  readonly endpoints: readonly Endpoint[];
  onCreate: (() => void) | undefined;
}

function Endpoints({ endpoints, onCreate }: EndpointsProps) {
  if (endpoints.length > 0)
    return <Table label={text.title} columns={columns} rows={endpoints} keyOf={({ id }) => id} />;
  return <Empty action={onCreate && <Button onClick={onCreate}>{text.create}</Button>}>{text.none}</Empty>;
}

export default function WebhooksPage() {
  const { data: me } = useMe();
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string>();
  const mayCreate = me !== undefined && hasChannelRole(me, 'ROLE_ADMINISTRATOR');
  const create = (): void => setCreating(true);
  return (
    <Page
      title={text.title}
      actions={
        mayCreate && (
          <Button look="primary" onClick={create}>
            {text.create}
          </Button>
        )
      }
    >
      <p>{text.about}</p>
      <Read of={useEndpoints()}>
        {(endpoints) => <Endpoints endpoints={endpoints} onCreate={mayCreate ? create : undefined} />}
      </Read>
      {me && !mayCreate && <p>{text.needs(roleLabel('ROLE_ADMINISTRATOR'))}</p>}
      {isCreating && (
        <ActionDialog act={createAction((created) => setSecret(created.secret))} onClose={() => setCreating(false)} />
      )}
      {secret !== undefined && <SecretDialog secret={secret} onCopied={() => setSecret(undefined)} />}
    </Page>
  );
}
