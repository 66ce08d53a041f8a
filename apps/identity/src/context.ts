import type { PrincipalSigner, Sealer } from '@saleschannel/auth';
import type { Database, LookUp } from '@saleschannel/database';
import type { ServiceClient } from '@saleschannel/grpc';
import type { Clock } from '@saleschannel/primitives';
import type { Logger } from '@saleschannel/runtime';
import type { BearerTokens } from './credentials/bearer-tokens.ts';
import type { Peppers } from './domain/peppers.ts';
import type { Sightings } from './operations/sightings.ts';
import type { ApiKeyCredential, KeyId, RegistryKeyCredential } from './store/credentials.ts';

/** What the RPCs work with. */
export interface Context {
  readonly database: Database;
  readonly findApiKey: LookUp<KeyId, ApiKeyCredential>;
  readonly findRegistryKey: LookUp<KeyId, RegistryKeyCredential>;
  readonly rbac: ServiceClient<'bindingDirectory'>;
  readonly accountHolders: ServiceClient<'accountHolderDirectory'>;
  readonly bearerTokens: BearerTokens;
  readonly signer: PrincipalSigner;
  readonly peppers: Peppers;
  /** Seals kept answers that hold a secret. */
  readonly sealer: Sealer;
  readonly sightings: Sightings;
  /** Whose sign-ins operations may find too old, and the `acr` of which such a sign-in needs one, if any is named. */
  readonly recentSignIn: { readonly of: 'sessions' | 'everybody'; readonly acrs: readonly string[] };
  readonly clock: Clock;
  /** The sandbox makes itself a registry key. */
  readonly isSandbox: boolean;
  readonly logger: Logger;
}
