import { auditLine, type AuditedService } from '@saleschannel/contracts';
import { createClient, type Credentials, type ServiceClient } from '@saleschannel/grpc';

/** Which events are asked for. Times are ISO 8601. */
export interface AuditedPart {
  /** `registry`, `installation`, or the id of a sales channel. */
  readonly scope: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** How many events are in memory at a time. */
const PAGE = 1_000;

/**
 * The chain of a scope in each of the services, one after the other, in its order: whoever reads the lines can
 * recompute the hashes as they come.
 * @param connection.addresses `host:port` of each service
 */
export async function* readAuditTrail(
  connection: { addresses: Readonly<Record<AuditedService, string>>; tokens: Credentials },
  services: readonly AuditedService[],
  part: AuditedPart,
): AsyncGenerator<string> {
  for (const service of services) {
    const address = connection.addresses[service];
    const client = createClient('auditLog', { address, tokens: connection.tokens, receiver: service });
    try {
      yield* readChain(client, part);
    } finally {
      client.close();
    }
  }
}

async function* readChain(client: ServiceClient<'auditLog'>, { scope, from, to }: AuditedPart): AsyncGenerator<string> {
  const between = { ...(from && { from }), ...(to && { to }) };
  let afterSequence = '0';
  for (;;) {
    const { events } = await client.ListAuditEvents({ scope, range: { afterSequence, limit: PAGE, ...between } });
    for (const event of events) yield auditLine(event);
    const last = events.at(-1);
    if (!last || events.length < PAGE) return;
    afterSequence = last.sequence;
  }
}
