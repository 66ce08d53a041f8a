import { Link } from 'wouter';
import { formatDateTime } from '../../shared/format/time.ts';
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
import { text } from './text.ts';

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
