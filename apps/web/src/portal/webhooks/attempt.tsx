import { clock, day } from '../../shared/format/time.ts';
import { translated } from '../../shared/i18n/messages.ts';
import { Facts, Verbatim } from '../../shared/ui/page.tsx';
import type { Attempt } from './endpoints.ts';
import { answerWord, durationWord } from './labels.tsx';

const text = translated({
  started: 'Started, UTC',
  took: 'Duration',
  answer: 'Response',
  error: 'Error',
  body: 'Response body',
  bodyOf: (number: number) => `Body of the response to attempt ${number}`,
  bodyAbout: 'The first kilobyte.',
});

export const momentOf = (at: string): string => `${day(at)} ${clock(at)}`;

/** Response body, unless empty. */
export function AnswerBody({ attempt: { number, answer } }: { readonly attempt: Attempt }) {
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
          [text.started, momentOf(attempt.startedAt)],
          [text.took, durationWord(attempt)],
          [text.answer, answerWord(attempt)],
          [text.error, attempt.error],
        ]}
      />
      {attempt.answer !== null && attempt.answer !== '' && (
        <>
          <h3>{text.body}</h3>
          <p>{text.bodyAbout}</p>
          <AnswerBody attempt={attempt} />
        </>
      )}
    </>
  );
}
