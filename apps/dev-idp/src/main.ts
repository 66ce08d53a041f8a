import { runService } from '@saleschannel/runtime';
import { createDevIdp } from './app.ts';
import { configOf, environment } from './environment.ts';

await runService({
  name: 'dev-idp',
  environment,
  createApp: (values, logger) => createDevIdp(configOf(values), logger),
});
