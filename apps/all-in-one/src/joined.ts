import type { App } from '@saleschannel/runtime';

export interface HostedApp {
  readonly app: App;
  /** True for an HTTP server that clients reach. */
  readonly isEdge: boolean;
}

const faultsOf = (ends: readonly PromiseSettledResult<unknown>[]): unknown[] =>
  ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));

/**
 * Joins hosted services to one app. All start at once. To stop, edges drain first, together. Then the others stop one
 * by one in reverse order, so that each can still reach the services that it calls.
 */
export function joinApps(hosted: readonly HostedApp[]): App {
  const apps = hosted.map(({ app }) => app);
  const edges = hosted.flatMap(({ app, isEdge }) => (isEdge ? [app] : []));
  const behind = hosted.flatMap(({ app, isEdge }) => (isEdge ? [] : [app])).reverse();
  const stop = async (): Promise<void> => {
    const ends = await Promise.allSettled(edges.map((app) => app.stop()));
    for (const app of behind) ends.push(...(await Promise.allSettled([app.stop()])));
    const faults = faultsOf(ends);
    if (faults.length > 0) throw new AggregateError(faults, 'not everything stopped cleanly');
  };
  return {
    get address() {
      return [...edges, ...behind].map(({ address }) => address).join(', ');
    },
    get isWell() {
      return apps.every((app) => app.isWell !== false);
    },
    async start() {
      const [fault] = faultsOf(await Promise.allSettled(apps.map((app) => app.start())));
      if (fault === undefined) return;
      await stop().catch(() => undefined);
      throw fault;
    },
    stop,
  };
}
