import { env, type Environment } from '@saleschannel/runtime';

export const environment = {
  AUDIT_DATABASE_URL: env.text(
    'PostgreSQL with a role that may read all databases, and {service} where the name of one stands',
    { secret: true },
  ),
  AUDIT_QUIET_SECONDS: env.integer('how long something may be on its way before it counts as lost', {
    min: 0,
    max: 3_600,
    default: '60',
  }),
} satisfies Environment;
