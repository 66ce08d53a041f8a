import express from 'express';
import type { IncomingMessage } from 'node:http';
import type { SecurityLog } from '@saleschannel/edge';

const forwardingHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip'] as const;

export interface ProxyOptions {
  readonly behindProxy: boolean;
  readonly trustedProxies: readonly string[];
}

/**
 * Tells the addresses of the proxies in front. Without their names every client would have the address of the proxy,
 * and with too many names every client could choose its own.
 * @throws Error when there is said to be a proxy and none is named, or a name is no address
 */
export function proxiesOf({ behindProxy, trustedProxies }: ProxyOptions): (address: string) => boolean {
  if (behindProxy && trustedProxies.length === 0) {
    throw new Error('BEHIND_PROXY is yes: TRUSTED_PROXIES must name the addresses of the proxy');
  }
  const everyone = trustedProxies.find((name) => name.endsWith('/0'));
  if (everyone !== undefined) throw new Error(`TRUSTED_PROXIES must not hold ${everyone}: that is every client`);
  try {
    const isProxy = express()
      .set('trust proxy', [...trustedProxies])
      .get('trust proxy fn') as (address: string, hops: number) => boolean;
    return (address) => isProxy(address, 0);
  } catch (error) {
    throw new Error(`TRUSTED_PROXIES must be addresses and subnets: ${(error as Error).message}`, { cause: error });
  }
}

/** Reports a peer that forwards requests of others and is not named. Its word for their addresses is not taken. */
export function reportUnnamedProxy(
  { headers, socket: { remoteAddress: address } }: IncomingMessage,
  isProxy: (address: string) => boolean,
  securityLog: SecurityLog,
): void {
  const header = forwardingHeaders.find((name) => headers[name] !== undefined);
  if (header === undefined || address === undefined || isProxy(address)) return;
  securityLog.record({ event: 'proxy_unnamed', reason: header, address });
}
