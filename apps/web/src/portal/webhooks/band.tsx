import { Link } from 'wouter';
import { dateTime } from '../../shared/format/time.ts';
import styles from '../../shared/shell/shell.module.css';
import { isOfChannel, useMe } from '../me.ts';
import { endpointPath, useEndpoints, type Endpoint } from './endpoints.ts';
import { calledAs, isInTrouble, standingOf } from './standing.ts';
import { text } from './text.ts';

function wordsFor(endpoint: Endpoint): string {
  const name = calledAs(endpoint);
  const standing = standingOf(endpoint);
  if (standing === 'failing') return text.bandFailing(name, dateTime(endpoint.failingSince ?? endpoint.createdAt));
  return standing === 'gone' ? text.bandGone(name) : text.bandGaveUp(name);
}

function Bands() {
  const { data = [] } = useEndpoints();
  return data.filter(isInTrouble).map((endpoint) => (
    <div
      key={endpoint.id}
      className={[styles['banner'], endpoint.status === 'DISABLED' && styles['bad']].filter(Boolean).join(' ')}
      role="status"
    >
      <p>
        {wordsFor(endpoint)} <Link href={endpointPath(endpoint.id)}>{text.bandOpen}</Link>
      </p>
    </div>
  ));
}

/** Says which endpoints do not get their events. Pages do without it where it cannot be known. */
export function WebhookBands() {
  const { data: me } = useMe();
  return me && isOfChannel(me, 'EVENT_VIEWER') && <Bands />;
}
