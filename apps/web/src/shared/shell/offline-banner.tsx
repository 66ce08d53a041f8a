import { useSyncExternalStore } from 'react';
import { translated } from '../i18n/messages.ts';
import styles from './shell.module.css';

const text = translated({
  offline: 'You are offline. This page may be out of date, and nothing can be sent.',
});

function subscribe(listener: () => void): () => void {
  const events = ['online', 'offline'];
  for (const event of events) window.addEventListener(event, listener);
  return () => events.forEach((event) => window.removeEventListener(event, listener));
}

/** Says that the browser has no connection. */
export function OfflineBanner() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  return <div role="status">{!isOnline && <p className={styles['banner']}>{text.offline}</p>}</div>;
}
