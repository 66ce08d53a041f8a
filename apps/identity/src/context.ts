import type { PrincipalSigner, Sealer } from '@saleschannel/auth';
import type { Database, LookUp } from '@saleschannel/database';
import type { ServiceClient } from '@saleschannel/grpc';
import type { Clock } from '@saleschannel/primitives';
import type { Logger } from '@saleschannel/runtime';
import type { BearerTokens } from './credentials/bearer-tokens.ts';
import type { Peppers } from './domain/credentials.ts';
import type { LastSeenRecorder } from './operations/last-seen-recorder.ts';
import type { ApiKeyCredential, KeyId, RegistryKeyCredential } from './store/credentials.ts';

/** Dependencies of the RPCs. */
export interface Context {
  readonly database: Database;
  readonly findApiKey: LookUp<KeyId, ApiKeyCredential>;
  readonly findRegistryKey: LookUp<KeyId, RegistryKeyCredential>;
  readonly rbac: ServiceClient<'bindingDirectory'>;
  readonly accountHolders: ServiceClient<'accountHolderDirectory'>;
  readonly bearerTokens: BearerTokens;
  readonly signer: PrincipalSigner;
  readonly peppers: Peppers;
  /** Seals stored responses with a secret. */
  readonly sealer: Sealer;
  readonly lastSeen: LastSeenRecorder;
  /** People who need a recent sign-in, and the accepted `acr` values. Empty accepts any. */
  readonly recentSignIn: { readonly of: 'sessions' | 'everybody'; readonly acrs: readonly string[] };
  readonly clock: Clock;
  /** Allows the sandbox service to issue a registry key. */
  readonly isSandbox: boolean;
  readonly logger: Logger;
}
