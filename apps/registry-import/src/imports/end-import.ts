import { recordAudit, REGISTRY_SCOPE, serviceActor } from '@saleschannel/audit';
import type { EntityManager } from '@saleschannel/database';
import { finishImport, type Lease } from '../store/import-runs.ts';
import type { LineError } from '../store/imports.ts';

/** Ends an import and records it. False, and nothing happens, when the import is another's by now. */
export async function endImport(
  em: EntityManager,
  lease: Lease,
  status: 'COMPLETED' | 'FAILED',
  errorsAtMost: number,
  error?: LineError,
): Promise<boolean> {
  if (!(await finishImport(em, lease, status, errorsAtMost, error))) return false;
  const act = { action: 'registry-import.import.ended', subject: { type: 'import', id: lease.importId } } as const;
  await recordAudit(em, [
    { ...act, scopes: [REGISTRY_SCOPE], actor: serviceActor('registry-import'), after: { status } },
  ]);
  return true;
}
