import type { PrincipalSigner } from '@saleschannel/auth';
import type {
  BindingDirectoryDefinition,
  BindingDirectoryHandlers,
} from '@saleschannel/contracts/gen/rbac/v1/BindingDirectory';
import type { Database } from '@saleschannel/database';
import type { Client } from '@saleschannel/grpc';
import type { Clock } from '@saleschannel/primitives';
import type { Logger } from '@saleschannel/runtime';
import type { BearerTokens } from './credentials/bearer-tokens.ts';

/** What the RPCs work with. */
export interface Context {
  readonly database: Database;
  readonly bearerTokens: BearerTokens;
  readonly bindings: Client<BindingDirectoryHandlers, BindingDirectoryDefinition>;
  readonly signer: PrincipalSigner;
  readonly pepper: Buffer;
  readonly clock: Clock;
  readonly logger: Logger;
}
