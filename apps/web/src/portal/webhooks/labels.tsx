import { formatNumber } from '../../shared/format/numbers.ts';
import { formatMoment } from '../../shared/format/time.ts';
import { translate } from '../../shared/i18n/messages.ts';
import { Status, Facts, Verbatim, type Tone } from '../../shared/ui/page.tsx';
import { transactionLabel } from '../transactions/transactions.tsx';
import { endpointHealth, type Attempt, type Delivery, type Endpoint, type EndpointHealth } from './endpoints.ts';

const text = translate({
  unused: 'enabled, no events sent yet',
  works: 'healthy',
  failing: 'failing, retried automatically',
  disabled: 'disabled',
  gone: 'disabled: the receiver returned 410',
  gaveUp: 'disabled: failed for too long',
  PENDING: 'pending',
  SUCCESS: 'delivered',
  FAILED: 'failed',
  TRANSACTION_STATUS_CHANGE: 'Transaction changed',
  TEST: 'Test message',
  transactionIs: (status: string) => `Transaction ${status}`,
  all: 'All',
  answered: (code: number) => `HTTP ${code}`,
  noAnswer: 'no response',
  took: (ms: string) => `${ms} ms`,
  inOrder: 'One at a time, in order',
  anyOrder: 'Up to eight at once',
  started: 'Started, UTC',
  duration: 'Duration',
  answer: 'Response',
  error: 'Error',
  body: 'Response body',
  bodyOf: (number: number) => `Body of the response to attempt ${number}`,
  bodyAbout: 'The first kilobyte.',
});

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

/** Response body, unless empty. */
export function ResponseBody({ attempt: { number, answer } }: { readonly attempt: Attempt }) {
  if (answer === null || answer === '') return null;
  return (
    <Verbatim label={text.bodyOf(number)} wraps>
      {answer}
    </Verbatim>
  );
}

/** Details of one attempt. */
export function AttemptFacts({ attempt }: { readonly attempt: Attempt }) {
  return (
    <>
      <Facts
        of={[
          [text.started, formatMoment(attempt.startedAt)],
          [text.duration, formatDuration(attempt)],
          [text.answer, responseLabel(attempt)],
          [text.error, attempt.error],
        ]}
      />
      {attempt.answer !== null && attempt.answer !== '' && (
        <>
          <h3>{text.body}</h3>
          <p>{text.bodyAbout}</p>
          <ResponseBody attempt={attempt} />
        </>
      )}
    </>
  );
}
