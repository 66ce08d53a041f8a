import { formatNumber } from '../../shared/format/numbers.ts';
import { Status, type Tone } from '../../shared/ui/page.tsx';
import { transactionLabel } from '../transactions/transactions.tsx';
import { endpointHealth, type Attempt, type Delivery, type Endpoint, type EndpointHealth } from './endpoints.ts';
import { text } from './text.ts';

const tones: Readonly<Record<EndpointHealth, Tone | undefined>> = {
  unused: undefined,
  works: 'ok',
  failing: 'wait',
  disabled: undefined,
  gone: 'bad',
  gaveUp: 'bad',
};

export function EndpointStatus({ endpoint }: { readonly endpoint: Endpoint }) {
  const health = endpointHealth(endpoint);
  return <Status tone={tones[health]}>{text[health]}</Status>;
}

const deliveryTones: Readonly<Record<Delivery['status'], Tone>> = { PENDING: 'wait', SUCCESS: 'ok', FAILED: 'bad' };

export const deliveryStatuses = ['PENDING', 'SUCCESS', 'FAILED'] as const;

/** Label of a delivery status or message type. */
export const deliveryLabel = (value: Delivery['status'] | Delivery['type']): string => text[value];

export const DeliveryStatus = ({ status }: Pick<Delivery, 'status'>) => (
  <Status tone={deliveryTones[status]}>{deliveryLabel(status)}</Status>
);

/** Summary of a message. */
export const messageLabel = ({ type, event }: Pick<Delivery, 'type' | 'event'>): string =>
  event === null ? deliveryLabel(type) : text.transactionIs(transactionLabel(event.payload.status));

export const typesLabel = ({ eventTypes }: Pick<Endpoint, 'eventTypes'>): string =>
  eventTypes === null ? text.all : eventTypes.map(deliveryLabel).join(', ');

export const orderLabel = ({ ordered }: Pick<Endpoint, 'ordered'>): string => (ordered ? text.inOrder : text.anyOrder);

export const responseLabel = ({ statusCode }: Pick<Attempt, 'statusCode'>): string =>
  statusCode === null ? text.noAnswer : text.answered(statusCode);

export const formatDuration = ({ durationMs }: Pick<Attempt, 'durationMs'>): string =>
  text.took(formatNumber(durationMs));
