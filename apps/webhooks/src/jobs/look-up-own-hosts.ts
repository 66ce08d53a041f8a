import { createJob, type Logger, type Part } from '@saleschannel/runtime';
import type { Resolve } from '../delivering/resolver.ts';
import type { OwnHosts } from '../domain/own-hosts.ts';

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
