import type { AuditedService } from '@saleschannel/contracts';
import { callAs } from './identities.ts';

/** Values of an object before and after each change, according to an audit trail. */
export async function listAuditedChanges(
  { name, address }: { name: AuditedService; address: string },
  scope: string,
  subjectId: string,
): Promise<[before: unknown, after: unknown][]> {
  const client = await callAs('admin', 'auditLog', address, name);
  try {
    const { events } = await client.ListAuditEvents({ scope, range: { afterSequence: '0', limit: 1_000 } });
    return events
      .map(({ event }) => JSON.parse(event) as { subject: { id: string }; before: unknown; after: unknown })
      .filter(({ subject, before }) => subject.id === subjectId && before !== null)
      .map(({ before, after }) => [before, after]);
  } finally {
    client.close();
  }
}
