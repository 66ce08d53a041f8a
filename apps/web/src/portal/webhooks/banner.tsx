import { Link } from 'wouter';
import { formatDateTime } from '../../shared/format/time.ts';
import { translate } from '../../shared/i18n/messages.ts';
import styles from '../../shared/shell/shell.module.css';
import { hasChannelRole, useMe } from '../me.ts';
import {
  endpointName,
  endpointPath,
  endpointsPath,
  needsAttention,
  endpointHealth,
  useEndpoints,
  type Endpoint,
} from './endpoints.ts';

const text = translate({
  bannerGone: (name: string) =>
    `The webhook endpoint ${name} is disabled because the receiver returned 410. Its events wait until it is enabled ` +
    'again.',
  bannerGaveUp: (name: string) =>
    `The webhook endpoint ${name} is disabled because it failed for too long. Its events wait until it is enabled ` +
    'again.',
  bannerFailing: (name: string, since: string) =>
    `The webhook endpoint ${name} has been failing since ${since}, UTC. Deliveries are retried automatically.`,
  bannerOpen: 'View endpoint',
  bannerMore: (count: number) =>
    count === 1 ? 'One more webhook endpoint has a problem.' : `${count} more webhook endpoints have problems.`,
  bannerAll: 'View all endpoints',
});

const SHOWN = 2;

function describeProblem(endpoint: Endpoint): string {
  const name = endpointName(endpoint);
  const health = endpointHealth(endpoint);
  if (health === 'failing')
    return text.bannerFailing(name, formatDateTime(endpoint.failingSince ?? endpoint.createdAt));
  return health === 'gone' ? text.bannerGone(name) : text.bannerGaveUp(name);
}

interface BannerProps {
  readonly isBad: boolean;
  readonly words: string;
  readonly href: string;
  readonly link: string;
}

const Banner = ({ isBad, words, href, link }: BannerProps) => (
  <div className={[styles['banner'], isBad && styles['bad']].filter(Boolean).join(' ')} role="status">
    <p>
      {words} <Link href={href}>{link}</Link>
    </p>
  </div>
);

function Banners() {
  const { data = [] } = useEndpoints();
  // Disabled endpoints first.
  const failing = data.filter(needsAttention).toSorted((one, other) => one.status.localeCompare(other.status));
  const others = failing.slice(SHOWN);
  return (
    <>
      {failing.slice(0, SHOWN).map((endpoint) => (
        <Banner
          key={endpoint.id}
          isBad={endpoint.status === 'DISABLED'}
          words={describeProblem(endpoint)}
          href={endpointPath(endpoint.id)}
          link={text.bannerOpen}
        />
      ))}
      {others.length > 0 && (
        <Banner
          isBad={others.some(({ status }) => status === 'DISABLED')}
          words={text.bannerMore(others.length)}
          href={endpointsPath}
          link={text.bannerAll}
        />
      )}
    </>
  );
}

/** Warns about failing and disabled endpoints. Shown only if endpoints are known. */
export function WebhookBanners() {
  const { data: me } = useMe();
  return me && hasChannelRole(me, 'EVENT_VIEWER') && <Banners />;
}
