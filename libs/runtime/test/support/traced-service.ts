import { processEnvironment, runService, withSpan } from '@saleschannel/runtime';

/** A service that creates more spans than the exporter queues. */
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
