import { lookup, type LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** Finds the addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

const TIMEOUT_MS = 3_000;
const TRIES = 2;
/** For addresses of the other family when there are some of one. Some name servers never answer for one of them. */
const OTHER_FAMILY_MS = 250;

/** As the machine finds names, those of its own files among them. */
export const systemResolve: Resolve = (hostname) =>
  new Promise((resolve, reject) => {
    lookup(hostname, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });

/**
 * Asks name servers itself. The machine's own look-up holds a thread for as long as a name server takes, and two of
 * them are all there are for look-ups: receivers whose name server does not answer would hold up those of everybody.
 * @param servers other ones than those of the machine, for tests
 */
export function createResolve(servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers) resolver.setServers(servers);
  return async (hostname) => {
    const found: LookupAddress[] = [];
    const as = (family: 4 | 6) => (addresses: readonly string[]) =>
      void found.push(...addresses.map((address) => ({ address, family })));
    const [four, six] = [resolver.resolve4(hostname).then(as(4)), resolver.resolve6(hostname).then(as(6))];
    const both = Promise.allSettled([four, six]);
    const one = Promise.any([four, six]).then(() => delay(OTHER_FAMILY_MS, undefined, { ref: false }));
    await Promise.race([both, one.catch(() => both)]);
    // Neither has found any: the fault of the first one tells why.
    if (found.length === 0) await four;
    return found.toSorted((a, b) => a.family - b.family);
  };
}
