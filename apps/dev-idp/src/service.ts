import type { ServiceDefinition } from '@saleschannel/runtime';
import { createDevIdp } from './app.ts';
import { toConfig, environment } from './environment.ts';

export const service: ServiceDefinition<typeof environment> = {
  name: 'dev-idp',
  environment,
  createApp: (values, logger) => createDevIdp(toConfig(values), logger),
};
