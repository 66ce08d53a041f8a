import express from 'express';
import type { IncomingMessage } from 'node:http';
import type { SecurityLog } from '@saleschannel/edge';

const forwardingHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip'] as const;

export interface ProxyOptions {
  readonly behindProxy: boolean;
  readonly trustedProxies: readonly string[];
}

/**
 * Returns a test for addresses of trusted proxies. Without trusted proxies, all clients would share the proxy's
 * address. With too many, clients could choose their address.
 * @throws Error for settings that contradict each other or are not addresses
 */
export function createProxyTest({ behindProxy, trustedProxies }: ProxyOptions): (address: string) => boolean {
  if (behindProxy && trustedProxies.length === 0) {
    throw new Error('BEHIND_PROXY is yes: TRUSTED_PROXIES must name the addresses of the proxy');
  }
  const everyone = trustedProxies.find((name) => name.endsWith('/0'));
  if (everyone !== undefined)
    throw new Error(`TRUSTED_PROXIES must not contain ${everyone}, which includes every client`);
  try {
    const isProxy = express()
      .set('trust proxy', [...trustedProxies])
      .get('trust proxy fn') as (address: string, hops: number) => boolean;
    return (address) => isProxy(address, 0);
  } catch (error) {
    throw new Error(`TRUSTED_PROXIES must be addresses and subnets: ${(error as Error).message}`, { cause: error });
  }
}

/** Records requests with forwarding headers of a peer that is not a trusted proxy. The headers are ignored. */
export function reportUnnamedProxy(
  { headers, socket: { remoteAddress: address } }: IncomingMessage,
  isProxy: (address: string) => boolean,
  securityLog: SecurityLog,
): void {
  const header = forwardingHeaders.find((name) => headers[name] !== undefined);
  if (header === undefined || address === undefined || isProxy(address)) return;
  securityLog.record({ event: 'proxy_unnamed', reason: header, address });
}
