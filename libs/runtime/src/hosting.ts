import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<string>();

/**
 * Runs work of a service in a process that hosts several. Metrics and spans that the work makes, now or later, bear the
 * service's name.
 */
export const runAsService = <T>(service: string, work: () => T): T => current.run(service, work);

/** The service that the running code belongs to. Undefined in a process of one service. */
export const hostedService = (): string | undefined => current.getStore();
