import type { App } from '@saleschannel/runtime';

export interface HostedApp {
  readonly app: App;
  /** True for an HTTP server for clients. */
  readonly isEdge: boolean;
}

const listErrors = (ends: readonly PromiseSettledResult<unknown>[]): unknown[] =>
  ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));

/**
 * Joins hosted services to one app. All start concurrently. On stop, edges drain first, together. Then the others stop
 * one by one in reverse order, so that each can still call its services.
 */
export function joinApps(hosted: readonly HostedApp[]): App {
  const apps = hosted.map(({ app }) => app);
  const edges = hosted.flatMap(({ app, isEdge }) => (isEdge ? [app] : []));
  const others = hosted.flatMap(({ app, isEdge }) => (isEdge ? [] : [app])).reverse();
  const stop = async (): Promise<void> => {
    const ends = await Promise.allSettled(edges.map((app) => app.stop()));
    for (const app of others) ends.push(...(await Promise.allSettled([app.stop()])));
    const errors = listErrors(ends);
    if (errors.length > 0) throw new AggregateError(errors, 'Some services did not stop cleanly.');
  };
  return {
    get address() {
      return [...edges, ...others].map(({ address }) => address).join(', ');
    },
    get isHealthy() {
      return apps.every((app) => app.isHealthy !== false);
    },
    async start() {
      const [error] = listErrors(await Promise.allSettled(apps.map((app) => app.start())));
      if (error === undefined) return;
      await stop().catch(() => undefined);
      throw error;
    },
    stop,
  };
}
