import { processEnvironment, runService, withSpan } from '@saleschannel/runtime';

/** A service that does nothing but make more spans than wait at a time. */
await runService({
  name: 'traced',
  environment: processEnvironment,
  createApp: () => ({
    address: 'nowhere',
    async start() {
      for (let span = 0; span < 3_000; span++) await withSpan('work', {}, () => Promise.resolve());
    },
    stop: () => Promise.resolve(),
  }),
});
