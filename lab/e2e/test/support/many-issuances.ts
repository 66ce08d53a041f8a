import { randomUUID } from 'node:crypto';
import type { DemoChannel } from '@saleschannel/local';
import { eventually } from '@saleschannel/testing';
import type { System } from '../../src/system.ts';
import { issuanceBody } from './api.ts';

interface Import {
  readonly importId: string;
  readonly status: string;
  readonly linesFailed: number;
}

/** Issues many bundles of 100 certificates with one import. @returns first certificate of each */
export async function issueMany(system: System, channel: DemoChannel, count: number): Promise<string[]> {
  const issuanceIds = Array.from({ length: count }, () => randomUUID());
  const lines = issuanceIds.map((issuanceId) =>
    JSON.stringify({ type: 'issuance', ...issuanceBody(channel, { issuanceId }) }),
  );
  const { importId } = await system.registry.ok<Import>('POST', '/Registry/api/imports', {
    body: `${lines.join('\n')}\n`,
    headers: { 'content-type': 'application/x-ndjson' },
  });
  const { status, linesFailed } = await eventually(async () => {
    const now = await system.registry.ok<Import>('GET', `/Registry/api/imports/${importId}`);
    return now.status !== 'PENDING' && now.status !== 'RUNNING' && now;
  }, 'the end of the import');
  if (status !== 'COMPLETED' || linesFailed > 0)
    throw new Error(`The import ended as ${status}, ${linesFailed} failed.`);
  return issuanceIds.map((issuanceId) => `${issuanceId}_1`);
}
