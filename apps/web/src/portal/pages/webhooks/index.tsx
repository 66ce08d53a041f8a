import { useState } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../../../shared/api/client.ts';
import { digits } from '../../../shared/format/numbers.ts';
import { dateTime } from '../../../shared/format/time.ts';
import { translated } from '../../../shared/i18n/messages.ts';
import { ActDialog, type Act } from '../../../shared/ui/action-dialog.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Page, Table, type TableColumn } from '../../../shared/ui/page.tsx';
import { Empty, Read } from '../../../shared/ui/state.tsx';
import { isOfChannel, roleWord, useMe } from '../../me.ts';
import { EndpointFields, SecretShown } from '../../webhooks/endpoint-fields.tsx';
import {
  calledAs,
  createEndpoint,
  endpointPath,
  listKey,
  useEndpoints,
  type Endpoint,
} from '../../webhooks/endpoints.ts';
import { endpointOf, pointers } from '../../webhooks/form.ts';
import { EndpointStatus, orderWord, typesWord } from '../../webhooks/labels.tsx';
import styles from '../../webhooks/webhooks.module.css';

const text = translated({
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

const timeOr = (none: string, at: string | null): string => (at === null ? none : dateTime(at));

const columns: readonly TableColumn<Endpoint>[] = [
  {
    name: text.endpoint,
    wraps: true,
    cell: (endpoint) => (
      <span className={styles['address']}>
        <Link href={endpointPath(endpoint.id)}>{calledAs(endpoint)}</Link>
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
            <span className={styles['aside']}>{text.failingSince(dateTime(endpoint.failingSince))}</span>
          </>
        )}
      </>
    ),
  },
  { name: text.lastSuccess, cell: ({ lastSuccessAt }) => timeOr(text.never, lastSuccessAt) },
  { name: text.pending, align: 'end', cell: ({ pendingDeliveries }) => digits(pendingDeliveries) },
  { name: text.types, wraps: true, cell: typesWord },
  { name: text.order, wraps: true, cell: orderWord },
];

type Created = Schemas['CreatedWebhookEndpoint'];

const creation = (after: (created: Created) => void): Act<Created> => ({
  title: text.create,
  why: text.createAbout,
  button: text.createDo,
  pointers,
  fields: (faultAt) => <EndpointFields faultAt={faultAt} />,
  send: (form) => createEndpoint(endpointOf(form)),
  changes: [listKey],
  after,
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
  const mayCreate = me !== undefined && isOfChannel(me, 'ROLE_ADMINISTRATOR');
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
      {me && !mayCreate && <p>{text.needs(roleWord('ROLE_ADMINISTRATOR'))}</p>}
      {isCreating && (
        <ActDialog act={creation((created) => setSecret(created.secret))} onClose={() => setCreating(false)} />
      )}
      {secret !== undefined && <SecretShown secret={secret} onCopied={() => setSecret(undefined)} />}
    </Page>
  );
}
