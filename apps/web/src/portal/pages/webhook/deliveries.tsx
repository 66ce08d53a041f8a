import { useQueryClient } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { api, unwrapData } from '../../../shared/api/client.ts';
import { useSubmission } from '../../../shared/api/queries.ts';
import { formatNumber } from '../../../shared/format/numbers.ts';
import { shortenId } from '../../../shared/format/serials.ts';
import { formatMoment, formatDateTime } from '../../../shared/format/time.ts';
import { translate } from '../../../shared/i18n/messages.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { FilteredGrid } from '../../../shared/ui/filtered-grid.tsx';
import { useFilters } from '../../../shared/ui/filters.ts';
import type { Column } from '../../../shared/ui/grid.tsx';
import { Status } from '../../../shared/ui/page.tsx';
import { Failure, Read } from '../../../shared/ui/state.tsx';
import { SelectFilter, DayFilter, TextFilter, Toolbar } from '../../../shared/ui/toolbar.tsx';
import {
  deliveryPath,
  endpointKey,
  useDelivery,
  deliveryFilterNames,
  useDeliveries,
  type Delivery,
  type DeliveryDetail,
} from '../../webhooks/endpoints.ts';
import {
  AttemptFacts,
  responseLabel,
  DeliveryStatus,
  deliveryStatuses,
  messageLabel,
  deliveryLabel,
} from '../../webhooks/labels.tsx';

const text = translate({
  close: 'Close',
  test: 'Send test message',
  testTitle: 'Test message',
  testSending: 'The message is being sent.',
  testArrived: 'The receiver accepted the message.',
  testFailed: 'The receiver did not accept the message.',
  testMore: 'View this delivery',
  deliveries: 'Deliveries',
  deliveriesAbout: 'Sent and pending messages, newest first. A delivery is kept for 30 days after it ends.',
  filters: 'Filters',
  status: 'Status',
  eventId: 'Event id',
  from: 'From, UTC',
  to: 'To, UTC',
  takenUp: 'Queued, UTC',
  open: (time: string, message: string) => `${time}: open the delivery of ${message}`,
  message: 'Message',
  attempts: 'Attempts',
  answer: 'Last response',
  next: 'Next attempt, UTC',
  event: 'Message id',
  noMatches: 'No matching deliveries.',
  none: 'No messages yet. New events appear here automatically.',
});

const columns: readonly Column<Delivery>[] = [
  {
    name: text.takenUp,
    width: '10rem',
    cell: (delivery) => (
      <Link
        href={deliveryPath(delivery)}
        aria-label={text.open(formatMoment(delivery.createdAt), messageLabel(delivery))}
      >
        {formatMoment(delivery.createdAt)}
      </Link>
    ),
  },
  { name: text.status, width: '6rem', cell: ({ status }) => <DeliveryStatus status={status} /> },
  { name: text.message, width: 'minmax(10rem, 1fr)', cell: messageLabel },
  { name: text.answer, width: '6rem', cell: ({ lastAttempt }) => lastAttempt && responseLabel(lastAttempt) },
  { name: text.attempts, width: '5rem', align: 'end', cell: ({ attemptCount }) => formatNumber(attemptCount) },
  { name: text.next, width: '9rem', cell: ({ nextAttemptAt }) => nextAttemptAt && formatDateTime(nextAttemptAt) },
  { name: text.event, width: '7.5rem', isMono: true, cell: ({ messageId }) => shortenId(messageId) },
];

/** Sent and pending messages of an endpoint. */
export function Deliveries({ endpointId }: { readonly endpointId: string }) {
  const [filters, setFilter, clearFilters] = useFilters(deliveryFilterNames);
  const [, navigate] = useLocation();
  const source = useDeliveries(endpointId, filters);
  return (
    <section>
      <h2>{text.deliveries}</h2>
      <p>{text.deliveriesAbout}</p>
      <Toolbar label={text.filters}>
        <SelectFilter
          label={text.status}
          options={deliveryStatuses.map((status) => [status, deliveryLabel(status)])}
          value={filters.status}
          onChoose={(status) => setFilter('status', status)}
        />
        <TextFilter label={text.eventId} value={filters.event} onChange={(event) => setFilter('event', event)} />
        <DayFilter label={text.from} value={filters.from} onChange={(from) => setFilter('from', from)} />
        <DayFilter label={text.to} value={filters.to} onChange={(to) => setFilter('to', to)} />
      </Toolbar>
      <FilteredGrid
        filters={filters}
        label={text.deliveries}
        columns={columns}
        source={source}
        onOpen={(delivery) => navigate(deliveryPath(delivery))}
        empty={text.none}
        noMatches={text.noMatches}
        onClear={clearFilters}
      />
    </section>
  );
}

function Outcome({ delivery }: { readonly delivery: DeliveryDetail }) {
  const { status, lastAttempt } = delivery;
  return (
    <>
      <p role="status">
        {status === 'PENDING' && <Status tone="wait">{text.testSending}</Status>}
        {status === 'SUCCESS' && <Status tone="ok">{text.testArrived}</Status>}
        {status === 'FAILED' && <Status tone="bad">{text.testFailed}</Status>}
      </p>
      {lastAttempt && <AttemptFacts attempt={lastAttempt} />}
      <p>
        <Link href={deliveryPath(delivery)}>{text.testMore}</Link>
      </p>
    </>
  );
}

const Sent = ({ sent: { endpointId, id } }: { readonly sent: Delivery }) => (
  <Read of={useDelivery(endpointId, id)}>{(delivery) => <Outcome delivery={delivery} />}</Read>
);

/** Sends a test message and shows the result. */
export function TestMessage({ endpointId: webhookEndpointId }: { readonly endpointId: string }) {
  const queries = useQueryClient();
  const testing = useSubmission({
    mutationFn: () =>
      unwrapData(
        api.POST('/saleschannel-services/v1/webhook-endpoints/{webhookEndpointId}/test', {
          params: { path: { webhookEndpointId } },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: endpointKey(webhookEndpointId) }),
  });
  const close = (): void => {
    testing.reset();
    void queries.invalidateQueries({ queryKey: endpointKey(webhookEndpointId) });
  };
  return (
    <>
      <Button busy={testing.isPending} onClick={() => testing.mutate()}>
        {text.test}
      </Button>
      {(testing.data ?? testing.error) && (
        <Dialog title={text.testTitle} onClose={close} actions={<Button onClick={close}>{text.close}</Button>}>
          {testing.data ? <Sent sent={testing.data} /> : <Failure error={testing.error} />}
        </Dialog>
      )}
    </>
  );
}
