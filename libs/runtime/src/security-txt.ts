import { z } from 'zod';
import { env, type Environment } from './environment.ts';

const CONTACT = /^(?:mailto:[^\s@<>]{1,64}@[^\s@<>]{1,255}|https:\/\/[^\s<>]{1,2000})$/;

/** Read by every server that strangers reach. */
export const securityContactEnvironment = {
  SECURITY_CONTACT: env.optional(
    env.parsed(
      'where to report a vulnerability, as mailto:… or https://…; published in /.well-known/security.txt, which ' +
        'does not exist when this is unset',
      z.string().regex(CONTACT, 'must be mailto: with an address, or an https URL'),
    ),
  ),
} satisfies Environment;

export const SECURITY_TXT = '/.well-known/security.txt';
export const SECURITY_TXT_TYPE = 'text/plain; charset=utf-8';
/** RFC 9116 recommends less than a year. */
const GOOD_FOR_MS = 180 * 24 * 3_600_000;

/**
 * The text of security.txt (RFC 9116).
 * @param now milliseconds since 1970. The contact is as current as the settings of the process that answers
 */
export const securityTxt = (contact: string, now: number): string =>
  [
    `Contact: ${contact}`,
    `Expires: ${new Date(now + GOOD_FOR_MS).toISOString().slice(0, 10)}T00:00:00Z`,
    'Preferred-Languages: en',
    '',
  ].join('\n');
