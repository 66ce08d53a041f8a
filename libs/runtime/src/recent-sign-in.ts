import { z } from 'zod';
import { env, type Environment } from './environment.ts';

/** Limited to characters that a challenge can quote (RFC 9470 section 3). */
const contexts = z
  .string()
  .regex(/^[ !#-[\]-~]*$/, { error: 'must hold no quotation mark, no backslash and no control character' })
  .transform((text) => text.split(' ').filter((word) => word !== ''));

/** Variables of the services that check sign-ins: identity for the gateway, and the console. */
export const recentSignInEnvironment = {
  RECENT_SIGN_IN_ACR: env.parsed(
    'authentication contexts ("acr"), one of which a recent sign-in must have, separated by spaces; any when unset',
    contexts,
    { default: '' },
  ),
} satisfies Environment;
