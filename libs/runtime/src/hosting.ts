import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<string>();

/**
 * Runs work of a service in a process of several services. Metrics and spans that the work creates, now or later, have
 * the name of the service.
 */
export const runAsService = <T>(service: string, work: () => T): T => current.run(service, work);

/** Returns the service of the running code. Undefined in a process of one service. */
export const hostedService = (): string | undefined => current.getStore();
