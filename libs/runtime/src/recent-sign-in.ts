import { z } from 'zod';
import { env, type Environment } from './environment.ts';

/** They stand in quotes in a challenge, with spaces between (RFC 9470 section 3). */
const contexts = z
  .string()
  .regex(/^[ !#-[\]-~]*$/, { error: 'must hold no quotation mark, no backslash and no control character' })
  .transform((text) => text.split(' ').filter((word) => word !== ''));

/** Read by whoever judges sign-ins: identity, for the operations of the gateway, and the console, for its own. */
export const recentSignInEnvironment = {
  RECENT_SIGN_IN_ACR: env.parsed(
    'authentication contexts ("acr"), one of which a recent sign-in must have, separated by spaces; any when unset',
    contexts,
    { default: '' },
  ),
} satisfies Environment;
