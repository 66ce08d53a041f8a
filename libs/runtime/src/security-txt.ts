import { z } from 'zod';
import { env, type Environment } from './environment.ts';

const CONTACT = /^(?:mailto:[^\s@<>]{1,64}@[^\s@<>]{1,255}|https:\/\/[^\s<>]{1,2000})$/;

/** Variables of every public server. */
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
/** Validity of the file. RFC 9116 recommends less than a year. */
const LIFETIME_MS = 180 * 24 * 3_600_000;

/**
 * Returns the text of security.txt (RFC 9116).
 * @param now milliseconds since 1970
 */
export const formatSecurityTxt = (contact: string, now: number): string =>
  [
    `Contact: ${contact}`,
    `Expires: ${new Date(now + LIFETIME_MS).toISOString().slice(0, 10)}T00:00:00Z`,
    'Preferred-Languages: en',
    '',
  ].join('\n');
