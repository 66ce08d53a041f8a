import { digits } from '../../shared/format/numbers.ts';
import { Status, type Tone } from '../../shared/ui/page.tsx';
import { wordFor } from '../transactions/transactions.tsx';
import { standingOf, type Attempt, type Delivery, type Endpoint, type Standing } from './endpoints.ts';
import { text } from './text.ts';

const tones: Readonly<Record<Standing, Tone | undefined>> = {
  unused: undefined,
  works: 'ok',
  failing: 'wait',
  disabled: undefined,
  gone: 'bad',
  gaveUp: 'bad',
};

export function EndpointStatus({ endpoint }: { readonly endpoint: Endpoint }) {
  const standing = standingOf(endpoint);
  return <Status tone={tones[standing]}>{text[standing]}</Status>;
}

const deliveryTones: Readonly<Record<Delivery['status'], Tone>> = { PENDING: 'wait', SUCCESS: 'ok', FAILED: 'bad' };

export const deliveryStatuses = ['PENDING', 'SUCCESS', 'FAILED'] as const;

/** Label of a delivery status or message type. */
export const wordOf = (value: Delivery['status'] | Delivery['type']): string => text[value];

export const DeliveryStatus = ({ status }: Pick<Delivery, 'status'>) => (
  <Status tone={deliveryTones[status]}>{wordOf(status)}</Status>
);

/** Summary of a message. */
export const messageWord = ({ type, event }: Pick<Delivery, 'type' | 'event'>): string =>
  event === null ? wordOf(type) : text.transactionIs(wordFor(event.payload.status));

export const typesWord = ({ eventTypes }: Pick<Endpoint, 'eventTypes'>): string =>
  eventTypes === null ? text.all : eventTypes.map(wordOf).join(', ');

export const orderWord = ({ ordered }: Pick<Endpoint, 'ordered'>): string => (ordered ? text.inOrder : text.anyOrder);

export const answerWord = ({ statusCode }: Pick<Attempt, 'statusCode'>): string =>
  statusCode === null ? text.noAnswer : text.answered(statusCode);

export const durationWord = ({ durationMs }: Pick<Attempt, 'durationMs'>): string => text.took(digits(durationMs));
