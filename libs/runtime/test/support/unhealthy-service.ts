import { composeApp, processEnvironment, runService, type Part } from '../../src/index.ts';

/** A service with a part that can neither work nor release its work. */

const part = (isHealthy: boolean): Part => ({
  isHealthy,
  start: () => Promise.resolve(),
  stop: () => Promise.resolve(),
});
// Keeps the process alive, like a server.
setInterval(() => undefined, 60_000);
await runService({
  name: 'unhealthy',
  environment: processEnvironment,
  createApp: () => composeApp([part(true), part(false)], { ...part(true), address: 'nowhere' }),
});
