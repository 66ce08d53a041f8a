import { isIPv6 } from 'node:net';
import { DomainError } from '@saleschannel/errors';
import { RateLimiter } from './gcra.ts';

const ADDRESSES_AT_MOST = 50_000;
const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Limits how often one address may try credentials that turn out wrong. Good credentials cost nothing. */
export class FailedLogins {
  readonly #limiter: RateLimiter;

  constructor(options: { perMinute: number; now: () => number }) {
    const { perMinute, ...rest } = options;
    this.#limiter = new RateLimiter({
      ...rest,
      ratePerSecond: perMinute / 60,
      burst: perMinute,
      keysAtMost: ADDRESSES_AT_MOST,
    });
  }

  /** @throws DomainError 'rate-limited' when the address has failed too often */
  check(address: string): void {
    const verdict = this.#limiter.look(networkOf(address));
    if (verdict.allowed) return;
    throw new DomainError('rate-limited', 'Too many failed log-ins from this address.', {
      retryAfterSeconds: verdict.retryAfterSeconds,
    });
  }

  failed(address: string): void {
    this.#limiter.take(networkOf(address));
  }
}

/** What counts as one address. A client that has one IPv6 address usually has all 2^64 of its network. */
export function networkOf(address: string): string {
  const mapped = MAPPED_IPV4.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.toLowerCase().split('%')[0]?.split('::') ?? [];
  const start = head === '' ? [] : head.split(':');
  const end = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups =
    tail === undefined
      ? start
      : [...start, ...Array.from({ length: 8 - start.length - end.length }, () => '0'), ...end];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
