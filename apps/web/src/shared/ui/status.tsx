import type { ReactNode } from 'react';
import styles from './status.module.css';

export type Tone = 'wait' | 'bad' | 'ok';

/** A state in its colour, always with its word. */
export function Status({ tone, children }: { readonly tone: Tone | undefined; readonly children: ReactNode }) {
  if (tone === undefined) return children;
  return (
    <span className={styles[tone]}>
      <span className={styles['mark']} aria-hidden="true" />
      {children}
    </span>
  );
}
