import { composeApp, processEnvironment, runService, type Part } from '../../src/index.ts';

/** A service one part of which can neither work nor give its work back. */

const part = (isWell: boolean): Part => ({
  isWell,
  start: () => Promise.resolve(),
  stop: () => Promise.resolve(),
});
// Keeps the process alive, as a server does.
setInterval(() => undefined, 60_000);
await runService({
  name: 'unwell',
  environment: processEnvironment,
  createApp: () => composeApp([part(true), part(false)], { ...part(true), address: 'nowhere' }),
});
