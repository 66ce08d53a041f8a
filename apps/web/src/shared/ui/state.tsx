import { createContext, useContext, type ReactNode } from 'react';
import { ApiError, isNotFound } from '../api/problem.ts';
import { translate } from '../i18n/messages.ts';
import { SIGNED_IN_PATH, signInPath } from '../session/session.ts';
import { Button, ButtonLink } from './button.tsx';
import styles from './page.module.css';

const text = translate({
  loading: 'Loading',
  retry: 'Try again',
  requestId: (id: string) => `Request ${id}`,
  unknown: 'Something went wrong on this page',
  offline: 'You are offline',
  notLoaded: 'This page has not been loaded yet. Try again when you are online.',
  oldSignIn: 'A recent sign-in is required',
  signInAgain: 'Sign in again in a new tab',
  thenAgain: 'Your input on this page is kept.',
});

const ROWS = [0, 1, 2, 3, 4];

/** Placeholder rows. Shown after 150 ms to avoid flicker. */
export function Loading() {
  return (
    <div className={styles['rules']} role="status">
      <span className="visually-hidden">{text.loading}</span>
      {ROWS.map((row) => (
        <i key={row} />
      ))}
    </div>
  );
}

/** A sentence, and the action that adds content. */
export function Empty({ children, action }: { readonly children: ReactNode; readonly action?: ReactNode }) {
  return (
    <div className={styles['state']}>
      <p className={styles['muted']}>{children}</p>
      {action}
    </div>
  );
}

interface Refusal {
  /** False until the roles of the user are known. */
  readonly isKnown: boolean;
  readonly explanation: ReactNode;
}

/** Explains a 403: the missing role and who grants it. */
export const Forbidden = createContext<Refusal>({ isKnown: true, explanation: null });

/** An error, with the data that support needs. */
export function Failure({ error, onRetry }: { readonly error: unknown; readonly onRetry?: (() => void) | undefined }) {
  const known = error instanceof ApiError ? error : undefined;
  const forbidden = useContext(Forbidden);
  if (known?.status === 403 && !forbidden.isKnown) return <Loading />;
  const unknown = navigator.onLine ? [text.unknown, String(error)] : [text.offline, text.notLoaded];
  const [title, detail] = known ? [known.requiredSignIn ? text.oldSignIn : known.title, known.detail] : unknown;
  return (
    <div className={styles['state']} role="alert">
      <p className={styles['title']}>{title}</p>
      <p>{detail}</p>
      {known?.status === 403 && forbidden.explanation}
      {known?.requiredSignIn && (
        <>
          <p>{text.thenAgain}</p>
          <ButtonLink
            look="primary"
            href={signInPath(SIGNED_IN_PATH, known.requiredSignIn)}
            target="_blank"
            rel="noopener"
          >
            {text.signInAgain}
          </ButtonLink>
        </>
      )}
      {known?.faults.map(({ pointer, parameter, detail }) => (
        <p key={`${pointer}${parameter}${detail}`}>
          {pointer ?? parameter}: {detail}
        </p>
      ))}
      {known?.requestId !== undefined && (
        <p className={styles['muted']}>
          <span className="mono">{text.requestId(known.requestId)}</span>
        </p>
      )}
      {onRetry && <Button onClick={onRetry}>{text.retry}</Button>}
    </div>
  );
}

interface Reading<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly isPending: boolean;
  refetch(): unknown;
}

/** State of a query: loading, error or data. Data of a deleted object is hidden. */
export function Read<T>({ of, children }: { readonly of: Reading<T>; readonly children: (data: T) => ReactNode }) {
  if (of.data !== undefined && !isNotFound(of.error)) return children(of.data);
  if (of.isPending) return <Loading />;
  return <Failure error={of.error} onRetry={() => void of.refetch()} />;
}
