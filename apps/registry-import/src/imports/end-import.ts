import { recordAudit, REGISTRY_SCOPE, serviceActor } from '@saleschannel/audit';
import type { EntityManager } from '@saleschannel/database';
import type { Lease } from '../store/import-leases.ts';
import { finishImport } from '../store/import-runs.ts';
import type { LineError } from '../store/imports.ts';

/** Ends an import and records it in the audit trail. Returns false, without effect, if the lease was lost. */
export async function endImport(
  em: EntityManager,
  lease: Lease,
  status: 'COMPLETED' | 'FAILED',
  maxErrors: number,
  error?: LineError,
): Promise<boolean> {
  if (!(await finishImport(em, lease, status, maxErrors, error))) return false;
  const act = { action: 'registry-import.import.ended', subject: { type: 'import', id: lease.importId } } as const;
  await recordAudit(em, [
    { ...act, scopes: [REGISTRY_SCOPE], actor: serviceActor('registry-import'), after: { status } },
  ]);
  return true;
}
