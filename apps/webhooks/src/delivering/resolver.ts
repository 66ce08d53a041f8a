import { lookup, type LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { createJob, type Logger, type Part } from '@saleschannel/runtime';
import type { OwnHosts } from '../domain/target.ts';

export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

const TIMEOUT_MS = 3_000;
const TRIES = 2;
/** Wait for the second address family once one has answered: some name servers never answer for the other. */
const OTHER_FAMILY_MS = 250;

/** Resolves with the operating system, including its hosts file. */
export const systemResolve: Resolve = (hostname) =>
  new Promise((resolve, reject) => {
    lookup(hostname, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });

/**
 * Queries name servers directly. The operating system's look-up blocks one of two threads until the server answers, so
 * a few receivers with unresponsive name servers would delay all others.
 * @param servers override the configured name servers, in tests
 */
export function createResolver(servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers) resolver.setServers(servers);
  return async (hostname) => {
    const found: LookupAddress[] = [];
    const addAs = (family: 4 | 6) => (addresses: readonly string[]) =>
      void found.push(...addresses.map((address) => ({ address, family })));
    const [four, six] = [resolver.resolve4(hostname).then(addAs(4)), resolver.resolve6(hostname).then(addAs(6))];
    const both = Promise.allSettled([four, six]);
    const one = Promise.any([four, six]).then(() => delay(OTHER_FAMILY_MS, undefined, { ref: false }));
    await Promise.race([both, one.catch(() => both)]);
    // Throws the reason if both failed.
    if (found.length === 0) await four;
    return found.toSorted((a, b) => a.family - b.family);
  };
}

const INTERVAL_MS = 60_000;

/** Resolves the installation's own names. A name that cannot be resolved keeps its previous addresses. */
export const lookUpOwnHosts = async (own: OwnHosts, resolve: Resolve, logger: Logger): Promise<void> =>
  void (await Promise.all(
    own.names.map(async (name) => {
      try {
        const found = await resolve(name);
        own.setAddresses(
          name,
          found.map(({ address }) => address),
        );
      } catch (error) {
        logger.warn({ err: error, name }, 'a name of the installation cannot be resolved');
      }
    }),
  ));

/** Resolves once before the first delivery, and then every minute. */
export function createOwnHostsJob(own: OwnHosts, resolve: Resolve, logger: Logger): Part {
  const work = (): Promise<void> => lookUpOwnHosts(own, resolve, logger);
  const job = createJob({
    everyMs: INTERVAL_MS,
    work,
    onError: (error) => logger.warn({ err: error }, 'names of the installation cannot be resolved'),
  });
  return {
    async start() {
      await work();
      await job.start();
    },
    stop: () => job.stop(),
  };
}
