import {
  renderAuditEvent,
  toAuditRange,
  rejectUnfilteredAnswer,
  type AuditedService,
  type AuditFilter,
  type AuditOrder,
} from '@saleschannel/contracts';
import { createClient, type Credentials, type ServiceClient } from '@saleschannel/grpc';

/** Selects events of a trail. Times are ISO 8601. */
export interface AuditSelection extends AuditFilter {
  /** `registry`, `installation`, or the id of a sales channel. */
  readonly scope: string;
  /** Ascending by default. Descending starts with the last event of each chain. */
  readonly order?: AuditOrder | undefined;
}

/** Events per call, and in memory at a time. */
const PAGE = 1_000;

/**
 * Reads the chain of a scope in each of the services, one service after the other, so that the hashes can be recomputed
 * while reading.
 * @param connection.addresses `host:port` of each service
 */
export async function* readAuditTrail(
  connection: { addresses: Readonly<Record<AuditedService, string>>; tokens: Credentials },
  services: readonly AuditedService[],
  selection: AuditSelection,
): AsyncGenerator<string> {
  for (const service of services) {
    const address = connection.addresses[service];
    const client = createClient('auditLog', { address, tokens: connection.tokens, receiver: service });
    try {
      yield* readChain(client, selection);
    } finally {
      client.close();
    }
  }
}

async function* readChain(client: ServiceClient<'auditLog'>, selection: AuditSelection): AsyncGenerator<string> {
  const { scope, order = 'asc', ...filter } = selection;
  const query = { ...filter, order, limit: PAGE };
  let position = '0';
  for (;;) {
    const page = await client.ListAuditEvents({ scope, range: toAuditRange(position, query) });
    rejectUnfilteredAnswer(page, query);
    const { events } = page;
    for (const event of events) yield renderAuditEvent(event);
    const last = events.at(-1);
    if (!last || events.length < PAGE) return;
    position = last.sequence;
  }
}
