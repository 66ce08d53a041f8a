import type { services, ServiceContract } from '@saleschannel/contracts';
import type { Database } from '@saleschannel/database';
import type { Client } from '@saleschannel/grpc';

type ClientOf<C> = C extends ServiceContract<infer H extends object, infer D> ? Client<H, D> : never;

/** What the RPCs need. */
export interface Context {
  readonly database: Database;
  readonly rbac: ClientOf<typeof services.bindingDirectory>;
}
