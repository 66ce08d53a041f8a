import { env, type Environment } from '@saleschannel/runtime';

export const environment = {
  AUDIT_DATABASE_URL: env.text(
    'URL of PostgreSQL with a role that may read all databases; {service} stands for the name of a service',
    { secret: true },
  ),
  DATABASE_CA_FILE: env.optional(
    env.text('file with the CA certificates to trust for PostgreSQL; the public CAs when unset'),
  ),
  AMQP_URL: env.optional(
    env.url('URL of RabbitMQ with a user without permissions, to count waiting messages', {
      secret: true,
      protocols: ['amqp:', 'amqps:'],
    }),
  ),
  AMQP_CA_FILE: env.optional(
    env.text('file with the CA certificates to trust for RabbitMQ; the public CAs when unset'),
  ),
  AMQP_NAMESPACE: env.text('prefix of the names of exchanges and queues', { default: 'saleschannel' }),
  AUDIT_QUIET_SECONDS: env.integer('time that a change may be in transit before it counts as lost', {
    min: 0,
    max: 3_600,
    default: '60',
  }),
} satisfies Environment;
