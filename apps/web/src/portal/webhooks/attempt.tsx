import { formatTime, formatDay } from '../../shared/format/time.ts';
import { translate } from '../../shared/i18n/messages.ts';
import { Facts, Verbatim } from '../../shared/ui/page.tsx';
import type { Attempt } from './endpoints.ts';
import { responseLabel, formatDuration } from './labels.tsx';

const text = translate({
  started: 'Started, UTC',
  took: 'Duration',
  answer: 'Response',
  error: 'Error',
  body: 'Response body',
  bodyOf: (number: number) => `Body of the response to attempt ${number}`,
  bodyAbout: 'The first kilobyte.',
});

export const formatMoment = (at: string): string => `${formatDay(at)} ${formatTime(at)}`;

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
          [text.took, formatDuration(attempt)],
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
