import { useState, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { isNotFound } from '../../../shared/api/problem.ts';
import { formatNumber } from '../../../shared/format/numbers.ts';
import { formatMoment, formatDateTime } from '../../../shared/format/time.ts';
import { translate } from '../../../shared/i18n/messages.ts';
import type { PageProps } from '../../../shared/shell/pages.ts';
import { ActionDialog, type DialogAction } from '../../../shared/ui/action-dialog.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Facts, Page, Table, type TableColumn } from '../../../shared/ui/page.tsx';
import { Read } from '../../../shared/ui/state.tsx';
import { hasChannelRole, roleLabel, useMe } from '../../me.ts';
import styles from '../../portal.module.css';
import { SecretDialog } from '../../webhooks/endpoint-fields.tsx';
import {
  endpointName,
  endpointsPath,
  calculateReplayProgress,
  endpointHealth,
  useEndpoint,
  type Endpoint,
} from '../../webhooks/endpoints.ts';
import { EndpointStatus, orderLabel, typesLabel } from '../../webhooks/labels.tsx';
import { deleteAction, disableAction, editAction, enableAction, replayAction, rotateAction } from './actions.tsx';
import { Deliveries, TestMessage } from './deliveries.tsx';

const text = translate({
  title: (name: string) => `Webhook ${name}`,
  loading: 'Webhook endpoint',
  all: 'All endpoints',
  needs: (role: string) => `Only users with the role ROLE_ADMINISTRATOR (${role}) can change this endpoint.`,
  failingWhy:
    'The last attempts failed. Each delivery is retried automatically for about 75 hours. The deliveries below show ' +
    'the responses.',
  goneWhy:
    'The receiver returned 410 (Gone), which stops deliveries. No event is lost: events stay in the log and are sent ' +
    'when the endpoint is enabled again.',
  gaveUpWhy:
    'No attempt has succeeded for too long. No event is lost: events stay in the log and are sent when the endpoint ' +
    'is enabled again. Fix the receiver first, and check it with a test message.',
  disabledWhy: 'Nothing is sent. Events stay in the log and are sent when the endpoint is enabled again.',
  url: 'Endpoint URL',
  types: 'Events',
  order: 'Order',
  pending: 'Pending deliveries',
  position: 'Processed up to',
  positionNone: 'no event yet',
  recorded: (time: string) => `recorded ${time}, UTC`,
  lastSuccess: 'Last success, UTC',
  lastFailure: 'Last failure, UTC',
  failingSince: 'Failing since, UTC',
  never: 'never',
  created: 'Created, UTC',
  by: 'Created by',
  id: 'Endpoint',
  secrets: 'Secrets',
  secretsAbout: 'Each message carries one signature per secret.',
  secretMade: 'Created, UTC',
  secretEnds: 'Valid until, UTC',
  secretStays: 'no expiry',
  edit: 'Edit',
  enable: 'Enable',
  disable: 'Disable',
  rotate: 'Rotate secret',
  deletion: 'Delete this endpoint',
  deletionAbout: 'To pause deliveries, disable the endpoint instead: no event is then skipped.',
  delete: 'Delete',
  replay: 'Replay events',
  replayDisabled: 'The endpoint is disabled. Enable it first.',
  replayBusy: 'A replay is running. The next one can start when it has finished.',
  replayRuns: (from: string, to: string) => `Replaying events from ${from} to ${to}, UTC`,
  replayRunsFailed: (from: string, to: string) => `Replaying events with failed deliveries from ${from} to ${to}, UTC`,
  replayAt: (percent: number) => `${percent} %`,
});

const reasons = {
  failing: text.failingWhy,
  gone: text.goneWhy,
  gaveUp: text.gaveUpWhy,
  disabled: text.disabledWhy,
} as const;

function EndpointHealthFacts({ endpoint }: { readonly endpoint: Endpoint }) {
  const health = endpointHealth(endpoint);
  const { position, lastSuccessAt, lastFailureAt, failingSince } = endpoint;
  return (
    <>
      <p role="status">
        <EndpointStatus endpoint={endpoint} />
      </p>
      {health in reasons && <p>{reasons[health as keyof typeof reasons]}</p>}
      <div className={styles['beside']}>
        <Facts
          of={[
            [text.failingSince, failingSince && formatDateTime(failingSince)],
            [text.lastSuccess, lastSuccessAt === null ? text.never : formatMoment(lastSuccessAt)],
            [text.lastFailure, lastFailureAt === null ? text.never : formatMoment(lastFailureAt)],
            [text.pending, formatNumber(endpoint.pendingDeliveries)],
            [
              text.position,
              position === null ? (
                text.positionNone
              ) : (
                <span key="position">
                  <code>{position.eventId}</code>
                  <br />
                  {text.recorded(formatMoment(position.createdAt))}
                </span>
              ),
            ],
          ]}
        />
        <Facts
          of={[
            [text.url, endpoint.url],
            [text.types, typesLabel(endpoint)],
            [text.order, orderLabel(endpoint)],
            [text.created, formatDateTime(endpoint.createdAt)],
            [text.by, <code key="by">{endpoint.createdBy}</code>],
            [text.id, <code key="id">{endpoint.id}</code>],
          ]}
        />
      </div>
    </>
  );
}

function Replay({ replay }: { readonly replay: NonNullable<Endpoint['replay']> }) {
  const times = [formatDateTime(replay.from), formatDateTime(replay.to)] as const;
  const label = replay.failedOnly ? text.replayRunsFailed(...times) : text.replayRuns(...times);
  const percent = Math.floor(100 * calculateReplayProgress(replay));
  return (
    <div className={styles['replay']}>
      <label htmlFor="replay">{label}</label>
      <progress id="replay" max={100} value={percent} />
      <span role="status">{text.replayAt(percent)}</span>
    </div>
  );
}

type Secret = Endpoint['secrets'][number];

const secretColumns: readonly TableColumn<Secret>[] = [
  { name: text.secretMade, cell: ({ createdAt }) => formatMoment(createdAt) },
  { name: text.secretEnds, cell: ({ expiresAt }) => (expiresAt === null ? text.secretStays : formatMoment(expiresAt)) },
];

interface SecretsProps extends Pick<Endpoint, 'secrets'> {
  readonly onRotate: (() => void) | undefined;
}

const Secrets = ({ secrets, onRotate }: SecretsProps) => (
  <section>
    <h2>{text.secrets}</h2>
    <p>{text.secretsAbout}</p>
    <Table label={text.secrets} columns={secretColumns} rows={secrets} keyOf={({ createdAt }) => createdAt} />
    {onRotate && <Button onClick={onRotate}>{text.rotate}</Button>}
  </section>
);

/** Separate at the end of the page, so that it is not mistaken for disabling. */
const Deletion = ({ onDelete }: { onDelete(): void }) => (
  <section>
    <h2>{text.deletion}</h2>
    <p>{text.deletionAbout}</p>
    <Button look="danger" onClick={onDelete}>
      {text.delete}
    </Button>
  </section>
);

type EndpointAction = DialogAction<Endpoint> | ReturnType<typeof rotateAction> | ReturnType<typeof replayAction>;

interface EndpointActionsProps {
  readonly endpoint: Endpoint;
  readonly mayChange: boolean;
  readonly acts: Readonly<Record<'edit' | 'rotate' | 'toggle' | 'delete' | 'replay', () => void>>;
}

/** Reason that no replay can start, if any. */
function replayRefusal({ replay, status }: Endpoint): string | undefined {
  if (status === 'DISABLED') return text.replayDisabled;
  return replay === null ? undefined : text.replayBusy;
}

function EndpointActions({ endpoint, mayChange, acts }: EndpointActionsProps): ReactNode {
  const refusal = replayRefusal(endpoint);
  return (
    <>
      <TestMessage endpointId={endpoint.id} />
      <Button disabled={refusal !== undefined} title={refusal} onClick={acts.replay}>
        {text.replay}
      </Button>
      {mayChange && (
        <>
          <Button onClick={acts.edit}>{text.edit}</Button>
          <Button onClick={acts.toggle}>{endpoint.status === 'ENABLED' ? text.disable : text.enable}</Button>
        </>
      )}
    </>
  );
}

function Webhook({ endpoint }: { readonly endpoint: Endpoint }) {
  const { data: me } = useMe();
  const [, navigate] = useLocation();
  const [act, setAct] = useState<EndpointAction>();
  const [secret, setSecret] = useState<string>();
  const mayChange = me !== undefined && hasChannelRole(me, 'ROLE_ADMINISTRATOR');
  const acts = {
    edit: () => setAct(editAction(endpoint)),
    rotate: () => setAct(rotateAction(endpoint, (rotated) => setSecret(rotated.secret))),
    toggle: () => setAct(endpoint.status === 'ENABLED' ? disableAction(endpoint) : enableAction(endpoint)),
    delete: () => setAct(deleteAction(endpoint, () => navigate(endpointsPath))),
    replay: () => setAct(replayAction(endpoint)),
  };
  return (
    <Page
      title={text.title(endpointName(endpoint))}
      aside={<Link href={endpointsPath}>{text.all}</Link>}
      actions={<EndpointActions endpoint={endpoint} mayChange={mayChange} acts={acts} />}
    >
      <EndpointHealthFacts endpoint={endpoint} />
      {me && !mayChange && <p>{text.needs(roleLabel('ROLE_ADMINISTRATOR'))}</p>}
      {endpoint.replay && <Replay replay={endpoint.replay} />}
      <Deliveries endpointId={endpoint.id} />
      <Secrets secrets={endpoint.secrets} onRotate={mayChange ? acts.rotate : undefined} />
      {mayChange && <Deletion onDelete={acts.delete} />}
      {act && <ActionDialog act={act as DialogAction<unknown>} onClose={() => setAct(undefined)} />}
      {secret !== undefined && <SecretDialog secret={secret} onCopied={() => setSecret(undefined)} />}
    </Page>
  );
}

export default function WebhookPage({ parameters }: PageProps) {
  const endpoint = useEndpoint(parameters['id'] ?? 'none');
  if (endpoint.data && !isNotFound(endpoint.error)) return <Webhook endpoint={endpoint.data} />;
  return (
    <Page title={text.loading}>
      <Read of={endpoint}>{() => null}</Read>
    </Page>
  );
}
