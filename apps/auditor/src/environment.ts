import { env, type Environment } from '@saleschannel/runtime';

export const environment = {
  AUDIT_DATABASE_URL: env.text(
    'PostgreSQL with a role that may read all databases, and {service} where the name of one stands',
    { secret: true },
  ),
  DATABASE_CA_FILE: env.optional(
    env.text('file with the CAs that vouch for PostgreSQL, instead of those that everybody trusts'),
  ),
  AMQP_URL: env.optional(
    env.url('RabbitMQ, with a user who may do nothing: it sees how many messages wait', {
      secret: true,
      protocols: ['amqp:', 'amqps:'],
    }),
  ),
  AMQP_CA_FILE: env.optional(
    env.text('file with the CAs that vouch for RabbitMQ, instead of those that everybody trusts'),
  ),
  AMQP_NAMESPACE: env.text('prefix of exchanges and queues', { default: 'saleschannel' }),
  AUDIT_QUIET_SECONDS: env.integer('how long something may be on its way before it counts as lost', {
    min: 0,
    max: 3_600,
    default: '60',
  }),
} satisfies Environment;
