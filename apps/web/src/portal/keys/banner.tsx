import { useState } from 'react';
import { Link } from 'wouter';
import { daysBetween } from '../../shared/format/time.ts';
import { translate } from '../../shared/i18n/messages.ts';
import styles from '../../shared/shell/shell.module.css';
import { findKeysExpiringSoon, useKeys } from './keys.ts';

const text = translate({
  ends(name: string, days: number) {
    if (days < 1) return `The key ${name} expires today.`;
    return days === 1 ? `The key ${name} expires tomorrow.` : `The key ${name} expires in ${days} days.`;
  },
  others: (count: number) => `${count} more expire soon.`,
  rotate: 'View keys',
});

/** Warns on every page about an expiring key. Shown only if keys are known. */
export function KeysBanner() {
  const { data } = useKeys();
  const [now] = useState(() => Date.now());
  const [next, ...others] = findKeysExpiringSoon(data ?? [], now);
  if (!next) return null;
  return (
    <div className={styles['banner']} role="status">
      <p>
        {text.ends(next.name ?? next.id, daysBetween(now, next.expiresAt))}{' '}
        {others.length > 0 && text.others(others.length)} <Link href="/keys">{text.rotate}</Link>
      </p>
    </div>
  );
}
