import type { ServiceClient } from '@saleschannel/grpc';
import type { StandingOptions } from './standing.ts';

/** Of one look at what has changed. */
const LOOK_TIMEOUT_MS = 1_500;

/** Asks the services that keep these audit trails how long they are. */
export const trailEndsOf =
  (trails: readonly Pick<ServiceClient<'auditLog'>, 'GetTrailEnds'>[]): StandingOptions['readEnds'] =>
  (scopes) =>
    Promise.all(
      trails.map(async (trail) => {
        const { ends, installation } = await trail.GetTrailEnds(
          { scopes: [...scopes] },
          { timeoutMs: LOOK_TIMEOUT_MS },
        );
        return { ends: new Map(ends.map(({ scope, sequence }) => [scope, sequence])), installation };
      }),
    );
