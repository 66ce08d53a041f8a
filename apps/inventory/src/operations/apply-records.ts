import { recordAudit, REGISTRY_SCOPE, type Act } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database } from '@saleschannel/database';
import { DomainError, invalidRequest } from '@saleschannel/errors';
import { toProblem, type ResponseOf } from '@saleschannel/grpc';
import { recordOnce } from '@saleschannel/idempotency';
import type { Clock } from '@saleschannel/primitives';
import { isStorable, toViolations } from '@saleschannel/primitives/validation';
import type { z } from 'zod';
import type { Facility } from '../domain/facility.ts';
import { refuseContradiction, refuseUnknownFacility, type Issuance } from '../domain/issuance.ts';
import { lockFacilities, upsertFacility, isConcurrentCreation } from '../store/facilities.ts';
import { checkFence, type ImportFence } from '../store/import-fence.ts';
import { checkChains, findSameIssuances, insertIssuances, type IndexedIssuance } from '../store/issuances.ts';

type ApplyResult = NonNullable<ResponseOf<'ledger.ApplyIssuances'>['results']>[number];
type Outcome = 'CREATED' | 'UPDATED' | 'UNCHANGED' | DomainError;

function toResult(outcome: Outcome | undefined): ApplyResult {
  if (outcome === undefined) throw new Error('a record has no outcome');
  if (outcome instanceof DomainError) return { outcome: 'OUTCOME_REFUSED', problem: toProblem(outcome) };
  return { outcome: `OUTCOME_${outcome}` };
}

/**
 * Applies the valid records of a batch and refuses the others. Results are in the order of the records.
 * @param apply returns outcomes in the order of its records
 */
export async function applyEach<Schema extends z.ZodType>(
  schema: Schema,
  records: readonly unknown[],
  apply: (valid: z.output<Schema>[]) => Promise<readonly Outcome[]>,
): Promise<{ results: ApplyResult[] }> {
  const valid: z.output<Schema>[] = [];
  const refusalsOrIndexes = records.map((record) => {
    const { data, error } = schema.safeParse(record, { reportInput: true });
    return error ? invalidRequest('The record is not valid.', toViolations(error)) : valid.push(data) - 1;
  });
  const outcomes = await apply(valid);
  return { results: refusalsOrIndexes.map((each) => toResult(typeof each === 'number' ? outcomes[each] : each)) };
}

const MAX_ATTEMPTS = 3;

type FacilityOutcome = Awaited<ReturnType<typeof upsertFacility>>['outcome'];

/**
 * Creates or updates facilities by code, in order, each in its own transaction.
 * @throws DomainError 'forbidden' for an import that another replica has taken over
 */
export async function applyFacilities(
  database: Database,
  facilities: readonly Facility[],
  actor: Actor,
  fence: ImportFence = {},
): Promise<FacilityOutcome[]> {
  const outcomes: FacilityOutcome[] = [];
  for (const facility of facilities) outcomes.push(await applyFacility(database, facility, actor, fence));
  return outcomes;
}

async function applyFacility(
  database: Database,
  facility: Facility,
  actor: Actor,
  fence: ImportFence,
): Promise<FacilityOutcome> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.transaction(async (em) => {
        await checkFence(em, fence);
        const { outcome, ...put } = await upsertFacility(em, facility);
        if (!('code' in put)) return outcome;
        const { code: id, ...contents } = put;
        const action = outcome === 'CREATED' ? 'inventory.facility.created' : 'inventory.facility.updated';
        const act = { action, subject: { type: 'production-facility', id }, ...contents } as const;
        await recordAudit(em, [{ ...act, scopes: [REGISTRY_SCOPE], actor }]);
        return outcome;
      });
    } catch (error) {
      if (!isConcurrentCreation(error) || attempt >= MAX_ATTEMPTS) throw error;
    }
  }
}

type IssuanceOutcome = 'CREATED' | 'UNCHANGED' | DomainError;

/**
 * Creates issuances of one bundle each, in one transaction. An issuance whose id is stored stays unchanged if the
 * content is equal, and is refused otherwise, as is one with an unknown facility. Refusals do not affect the others.
 * @throws DomainError 'forbidden' for an import that another replica has taken over
 */
export const applyIssuances = (
  database: Database,
  clock: Clock,
  issuances: readonly Issuance[],
  actor: Actor,
  fence: ImportFence = {},
): Promise<IssuanceOutcome[]> =>
  database.transaction(async (em) => {
    await checkFence(em, fence);
    const codes = issuances.map(({ productionFacilityCode }) => productionFacilityCode).filter(isStorable);
    const facilityOf = await lockFacilities(em, codes);
    const complete = issuances.flatMap(({ productionFacilityCode, ...issuance }, index) => {
      const facility = facilityOf(productionFacilityCode);
      return facility === undefined ? [] : [{ ...issuance, ...facility, index }];
    });
    const unique = selectFirstById(complete);
    const ids = await insertIssuances(em, unique, clock.now().toISOString());
    const inserted = unique.filter(({ issuanceId }) => ids.has(issuanceId));
    const created = new Set(inserted.map(({ index }) => index));
    const same = await findSameIssuances(
      em,
      complete.filter(({ index }) => !created.has(index)),
    );
    // Other transactions wait for the audit heads, so all checks run before locking them.
    await checkChains(em);
    const inOrder = complete.filter(({ index }) => created.has(index));
    await recordAudit(
      em,
      inOrder.map((issuance) => toAct(issuance, actor)),
    );
    return issuances.map(({ productionFacilityCode }, index) => {
      if (created.has(index)) return 'CREATED';
      if (same.has(index)) return 'UNCHANGED';
      return facilityOf(productionFacilityCode) ? refuseContradiction() : refuseUnknownFacility();
    });
  });

const toAct = ({ issuanceId: id, ...issuance }: IndexedIssuance, actor: Actor): Act => {
  const { facilityId, accountHolderId, salesChannelId, firstSerial, lastSerial } = issuance;
  // Parts of the certificate ids.
  const { standard, registry, creditType, countryCode, facilityCode, vintage, serialWidth } = issuance;
  const parts = { standard, registry, creditType, countryCode, facilityCode, vintage, serialWidth };
  return {
    scopes: [REGISTRY_SCOPE, ...(salesChannelId === undefined ? [] : [salesChannelId])],
    actor,
    action: 'inventory.issuance.created',
    subject: { type: 'issuance', id },
    after: { facilityId, accountHolderId, firstSerial: String(firstSerial), lastSerial: String(lastSerial), ...parts },
  };
};

/** Selects the first issuance of each id. Sorted by id, so that concurrent batches with equal ids do not deadlock. */
function selectFirstById(issuances: readonly IndexedIssuance[]): IndexedIssuance[] {
  const byId = new Map<string, IndexedIssuance>();
  for (const issuance of issuances) if (!byId.has(issuance.issuanceId)) byId.set(issuance.issuanceId, issuance);
  return [...byId.values()].toSorted((a, b) => (a.issuanceId < b.issuanceId ? -1 : 1));
}

interface RepeatableRequest {
  readonly scope: string;
  readonly key: string;
  readonly digest: string;
}

/**
 * Creates an issuance once per key. A repeat returns the first outcome, as long as the issuance exists.
 * @throws DomainError with the reason of a refusal, or 'idempotency-key-reused' after another request with the key
 */
export async function issueOnce(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  issuance: Issuance,
  actor: Actor,
  { digest: request, ...keyed }: RepeatableRequest,
): Promise<{ outcomes: readonly IssuanceOutcome[]; replayed: boolean }> {
  const { made, replayed } = await recordOnce<readonly IssuanceOutcome[]>(
    'ledger.ApplyIssuances',
    { database, ...keyed, request },
    (transactional) => applyIssuances(transactional, clock, [issuance], actor),
    { toId: requireSuccess, load: (_em, outcome) => [outcome as 'CREATED' | 'UNCHANGED'] },
  );
  return { outcomes: made, replayed };
}

/** @throws DomainError for a refusal, so that the key stays unused */
function requireSuccess([outcome]: readonly IssuanceOutcome[]): string {
  if (typeof outcome === 'string') return outcome;
  throw outcome ?? new Error('an issuance has no outcome');
}
