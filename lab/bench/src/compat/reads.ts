import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Market } from '../load/markets.ts';
import type { CallerRequest, Caller } from './caller.ts';
import type { Release } from './release.ts';

interface Operation {
  readonly operationId: string;
  readonly 'x-access'?: { readonly principal: string };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}

interface Contract {
  readonly paths: Readonly<Record<string, { readonly get?: Operation }>>;
}

export interface Read extends CallerRequest {
  readonly operationId: string;
}

/** Values for path parameters of the contract. */
export type PathValues = Readonly<Record<string, string>>;

/** Streams have their own client. Readiness is for balancers, and may be negative while requests succeed. */
const OTHERWISE = new Set(['streamEvents', 'getReadiness']);

/**
 * Returns every read in a release's contract whose path parameters are known. Clients of the release send them, also
 * during the upgrade to the next release.
 */
export function listReads({ root }: Release, { credentials, registry }: Market, known: PathValues): Read[] {
  const contract = parse(readFileSync(join(root, 'apps/gateway/openapi/openapi.yaml'), 'utf8')) as Contract;
  return Object.entries(contract.paths).flatMap(([template, { get: operation }]) => {
    const access = operation?.['x-access']?.principal;
    if (!operation || access === undefined || OTHERWISE.has(operation.operationId)) return [];
    if (!operation.responses['200']?.content?.['application/json']) return [];
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => known[name] ?? '{}');
    if (path.includes('{}')) return [];
    const key = access === 'registry' ? registry.credentials : access === 'public' ? undefined : credentials;
    return [{ operationId: operation.operationId, path, credentials: key }];
  });
}

/** Reads that succeed while nothing is being replaced, and the names of the others. */
export async function filterAnswerable(
  caller: Caller,
  reads: readonly Read[],
): Promise<{ readonly reads: Read[]; readonly leftOut: string[] }> {
  const kept: Read[] = [];
  const leftOut: string[] = [];
  for (const read of reads) {
    const answer = await caller.send('first reads', read);
    if (answer) kept.push(read);
    else leftOut.push(read.operationId);
  }
  return { reads: kept, leftOut };
}
