import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api, unwrapData } from '../../../shared/api/client.ts';
import { useSubmission } from '../../../shared/api/queries.ts';
import { formatNumber } from '../../../shared/format/numbers.ts';
import { formatMoment } from '../../../shared/format/time.ts';
import { translate } from '../../../shared/i18n/messages.ts';
import type { PageProps } from '../../../shared/shell/pages.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Facts, Page, Table, Verbatim, Copy, type TableColumn } from '../../../shared/ui/page.tsx';
import { Empty, Failure, Read } from '../../../shared/ui/state.tsx';
import { hasChannelRole, useMe } from '../../me.ts';
import styles from '../../portal.module.css';
import {
  endpointKey,
  endpointPath,
  useDelivery,
  useEndpoint,
  type Attempt,
  type DeliveryDetail,
} from '../../webhooks/endpoints.ts';
import {
  ResponseBody,
  responseLabel,
  DeliveryStatus,
  formatDuration,
  messageLabel,
  deliveryLabel,
} from '../../webhooks/labels.tsx';

const text = translate({
  title: (message: string) => `Delivery: ${message}`,
  loading: 'Delivery',
  endpoint: 'View endpoint',
  status: 'Status',
  type: 'Message type',
  transaction: 'Transaction',
  takenUp: 'Queued, UTC',
  attempts: 'Attempts',
  next: 'Next attempt, UTC',
  nextUnknown: 'when the endpoint is enabled again',
  url: 'Endpoint URL',
  id: 'Delivery',
  retry: 'Retry now',
  resend: 'Send again',
  retryDisabled: 'The endpoint is disabled. Enable it before you retry a delivery.',
  attemptsNone: 'No attempts yet.',
  number: 'Number',
  started: 'Started, UTC',
  took: 'Duration',
  answer: 'Response',
  error: 'Error',
  answers: 'Responses',
  answersAbout: 'The first kilobyte of each response.',
  answerTo: (number: number, answer: string) => `Attempt ${number}: ${answer}`,
  message: 'Message',
  headers: 'Headers',
  headerId: 'The same in every attempt: a receiver skips ids that it has already processed.',
  headerTimestamp: (last: string) => `Time of the attempt, in seconds. Last attempt: ${last}.`,
  headerTimestampNone: 'Time of the attempt, in seconds.',
  headerSignature:
    'One signature per secret of the endpoint, separated by spaces: HMAC-SHA256 over id, timestamp and body, joined ' +
    'by full stops.',
  body: 'Body',
  bodyAbout: 'Byte for byte as signed.',
  copyBody: 'Copy body',
});

const columns: readonly TableColumn<Attempt>[] = [
  { name: text.number, cell: ({ number }) => formatNumber(number) },
  { name: text.started, cell: ({ startedAt }) => formatMoment(startedAt) },
  { name: text.took, align: 'end', cell: formatDuration },
  { name: text.answer, cell: responseLabel },
  { name: text.error, wraps: true, cell: ({ error }) => error },
];

function Attempts({ attempts }: Pick<DeliveryDetail, 'attempts'>) {
  const answered = attempts.filter(({ answer }) => answer !== null && answer !== '').toReversed();
  return (
    <section>
      <h2>{text.attempts}</h2>
      {attempts.length === 0 ? (
        <Empty>{text.attemptsNone}</Empty>
      ) : (
        <div aria-live="polite" aria-relevant="additions">
          <Table label={text.attempts} columns={columns} rows={attempts} keyOf={({ number }) => String(number)} />
        </div>
      )}
      {answered.length > 0 && (
        <>
          <h2>{text.answers}</h2>
          <p>{text.answersAbout}</p>
          {answered.map((attempt, at) => (
            <details key={attempt.number} open={at === 0}>
              <summary className={styles['summary']}>{text.answerTo(attempt.number, responseLabel(attempt))}</summary>
              <ResponseBody attempt={attempt} />
            </details>
          ))}
        </>
      )}
    </section>
  );
}

/** Seconds since 1970, as in the `webhook-timestamp` header. */
const toSeconds = (startedAt: string): string => String(Math.floor(Date.parse(startedAt) / 1_000));

function Message({ delivery: { messageId, lastAttempt, body } }: { readonly delivery: DeliveryDetail }) {
  return (
    <section>
      <h2>{text.message}</h2>
      <h3>{text.headers}</h3>
      <Facts
        of={[
          [
            'webhook-id',
            <span key="id">
              <code>{messageId}</code> <Copy value={messageId} />
              <br />
              {text.headerId}
            </span>,
          ],
          [
            'webhook-timestamp',
            lastAttempt ? text.headerTimestamp(toSeconds(lastAttempt.startedAt)) : text.headerTimestampNone,
          ],
          ['webhook-signature', text.headerSignature],
        ]}
      />
      <h3>{text.body}</h3>
      <p>
        {text.bodyAbout} <Copy value={body} label={text.copyBody} />
      </p>
      <Verbatim label={text.body} wraps>
        {body}
      </Verbatim>
    </section>
  );
}

function Transaction({ id }: { readonly id: string }) {
  const { data: me } = useMe();
  if (!me || !hasChannelRole(me, 'TRANSACTION_ADMINISTRATOR')) return <code>{id}</code>;
  return (
    <Link href={`/channel/transactions/${encodeURIComponent(id)}`}>
      <code>{id}</code>
    </Link>
  );
}

function Retry({ delivery: { endpointId, id, status } }: { readonly delivery: DeliveryDetail }) {
  const queries = useQueryClient();
  const isDisabled = useEndpoint(endpointId).data?.status === 'DISABLED';
  const retrying = useSubmission({
    mutationFn: () =>
      unwrapData(
        api.POST('/saleschannel-services/v1/webhook-endpoints/{webhookEndpointId}/deliveries/{deliveryId}/retry', {
          params: { path: { webhookEndpointId: endpointId, deliveryId: id } },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: endpointKey(endpointId) }),
  });
  return (
    <>
      <p>
        <Button busy={retrying.isPending} disabled={isDisabled} onClick={() => retrying.mutate()}>
          {status === 'SUCCESS' ? text.resend : text.retry}
        </Button>
      </p>
      {isDisabled && <p>{text.retryDisabled}</p>}
      {retrying.error && <Failure error={retrying.error} />}
    </>
  );
}

function Delivery({ delivery }: { readonly delivery: DeliveryDetail }) {
  const { status, nextAttemptAt, event } = delivery;
  const next = nextAttemptAt === null ? text.nextUnknown : formatMoment(nextAttemptAt);
  return (
    <>
      <p role="status">
        <DeliveryStatus status={status} />
      </p>
      <Facts
        of={[
          [
            text.type,
            <span key="type">
              {deliveryLabel(delivery.type)} <code>{delivery.type}</code>
            </span>,
          ],
          [text.transaction, event && <Transaction id={event.payload.transactionId} />],
          [text.takenUp, formatMoment(delivery.createdAt)],
          [text.next, status === 'PENDING' ? next : null],
          [text.url, delivery.url],
          [text.id, <code key="id">{delivery.id}</code>],
        ]}
      />
      <Retry delivery={delivery} />
      <Attempts attempts={delivery.attempts} />
      <Message delivery={delivery} />
    </>
  );
}

export default function WebhookDeliveryPage({ parameters }: PageProps) {
  const endpointId = parameters['id'] ?? 'none';
  const delivery = useDelivery(endpointId, parameters['delivery'] ?? 'none');
  return (
    <Page
      title={delivery.data ? text.title(messageLabel(delivery.data)) : text.loading}
      aside={<Link href={endpointPath(endpointId)}>{text.endpoint}</Link>}
    >
      <Read of={delivery}>{(data) => <Delivery delivery={data} />}</Read>
    </Page>
  );
}
