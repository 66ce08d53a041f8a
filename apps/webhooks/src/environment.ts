import { sealingKeys } from '@saleschannel/auth';
import { databaseEnvironment } from '@saleschannel/database';
import { grpcEnvironment, serviceAddress } from '@saleschannel/grpc';
import { env, processEnvironment, sandboxEnvironment } from '@saleschannel/runtime';
import { z } from 'zod';
import { OwnHosts, parseAddresses } from './domain/target.ts';

/** Parses texts separated by commas. An invalid one prevents the start, and the error names the variable. */
const listed = <T>(parse: (texts: readonly string[]) => T) =>
  z.string().transform((text, { addIssue }) => {
    try {
      return parse(text.split(',').flatMap((each) => each.trim() || []));
    } catch (error) {
      addIssue((error as Error).message);
      return z.NEVER;
    }
  });

export const environment = {
  ...processEnvironment,
  ...sandboxEnvironment,
  ...grpcEnvironment,
  ...databaseEnvironment,
  EVENTS_ADDRESS: serviceAddress('events'),
  WEBHOOK_SECRET_KEYS: env.parsed(
    'keys that encrypt stored endpoint secrets, each 32 bytes in base64url, separated by commas; the first encrypts, ' +
      'all decrypt',
    sealingKeys,
    { secret: true },
  ),
  WEBHOOK_PRIVATE_TARGETS: env.oneOf(
    'whether endpoints may be in private networks and use plain HTTP; for development and tests only',
    ['refused', 'allowed'],
    { default: 'refused' },
  ),
  WEBHOOK_PORTS: env.parsed(
    'ports that endpoints may use, separated by commas; existing endpoints keep theirs',
    z
      .string()
      .regex(/^\d{1,5}(,\d{1,5})*$/, 'must be ports, separated by commas')
      .transform((text) => new Set(text.split(',').map(Number))),
    { default: '443,8443' },
  ),
  WEBHOOK_REFUSED_ADDRESSES: env.parsed(
    'further public addresses and subnets that webhooks never call, separated by commas',
    listed(parseAddresses),
    { default: '' },
  ),
  WEBHOOK_OWN_HOSTS: env.parsed(
    'names and URLs of the installation itself, separated by commas; webhooks never call them or their addresses',
    listed((texts) => new OwnHosts(texts)),
    { default: '' },
  ),
  WEBHOOK_ENDPOINTS_PER_CHANNEL: env.integer('maximum endpoints of one sales channel', {
    min: 1,
    max: 1_000,
    default: '20',
  }),
  WEBHOOK_DELIVERY_KEPT_DAYS: env.integer('days that finished deliveries are kept', {
    min: 1,
    max: 3_650,
    default: '30',
  }),
};
