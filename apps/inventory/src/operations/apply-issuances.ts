import type { Database, EntityManager } from '@saleschannel/database';
import { DomainError, requestRefused } from '@saleschannel/errors';
import { rangeVolume, serialFormOf, type Clock } from '@saleschannel/primitives';
import { BundleBook, type Bundle } from '../domain/bundle-book.ts';
import { canBeIssuance } from '../domain/selection.ts';
import type { ApplyResult, Issuance__Output } from '../rpc/messages.ts';
import { saveBook } from '../store/bundles.ts';
import { facilityIds, insertIssuances, sameIssuances, type NewIssuance } from '../store/issuances.ts';
import { insertTransactions, type NewTransaction } from '../store/transactions.ts';
import { Checks, refusedResult } from './checks.ts';

/** Parts of a certificate id are joined with underscores; only the credit type may hold one. */
const ABBREVIATION = /^[^_\s\p{Cc}]{1,64}$/u;
const FACILITY_CODE = /^[A-Za-z0-9]{6}$/;
/** The public API says volumes as JSON numbers, which must be exact. */
const VOLUME_AT_MOST = BigInt(Number.MAX_SAFE_INTEGER);

function read(issuance: Issuance__Output, facilities: ReadonlyMap<string, string>): NewIssuance {
  const checks = new Checks();
  const id = issuance.issuanceId.toLowerCase();
  if (!canBeIssuance(id)) checks.fail('issuanceId', 'uuid', 'must be a UUID');
  for (const field of ['standard', 'registry'] as const)
    checks.pattern(field, issuance[field], ABBREVIATION, 'must be an abbreviation without underscore or space');
  for (const field of ['creditType', 'creditTypeId', 'methodologyCode'] as const)
    checks.text(field, issuance[field], 64);
  checks.text('accountHolderId', issuance.accountHolderId);
  if (issuance.salesChannelId !== undefined) checks.text('salesChannelId', issuance.salesChannelId);
  if (issuance.traderId !== undefined) checks.text('traderId', issuance.traderId);
  if ((issuance.salesChannelId === undefined) !== (issuance.traderId === undefined)) {
    checks.fail('salesChannelId', 'trader', 'must come together with the trader that the issuance is listed for');
  }
  if (issuance.vintage < 1900 || issuance.vintage > 2999)
    checks.fail('vintage', 'range', 'must be a year from 1900 to 2999');
  const productionStart = checks.instant('productionStartDate', issuance.productionStartDate);
  const productionEnd = checks.instant('productionEndDate', issuance.productionEndDate);
  if (productionStart > productionEnd)
    checks.fail('productionEndDate', 'order', 'must not lie before the start of production');
  const issuing = checks.instant('issuingDate', issuance.issuingDate);
  const expiration =
    issuance.expirationDate === undefined ? undefined : checks.instant('expirationDate', issuance.expirationDate);
  const serialWidth = readWidth(checks, issuance);
  checks.assert();
  const facilityId = facilities.get(issuance.productionFacilityCode);
  if (!facilityId) {
    const detail = 'There is no production facility with this code.';
    throw requestRefused(detail, [{ pointer: '#/productionFacilityCode', code: 'unknown-reference', detail }]);
  }
  return {
    id,
    facilityId,
    standard: issuance.standard,
    registry: issuance.registry,
    creditType: issuance.creditType,
    creditTypeId: issuance.creditTypeId,
    methodologyCode: issuance.methodologyCode,
    vintage: issuance.vintage,
    productionStart: iso(productionStart),
    productionEnd: iso(productionEnd),
    issuingDate: iso(issuing),
    expirationDate: expiration === undefined ? null : iso(expiration),
    firstSerial: issuance.firstSerial,
    lastSerial: issuance.lastSerial,
    serialWidth,
    accountHolderId: issuance.accountHolderId,
    salesChannelId: issuance.salesChannelId ?? null,
    traderId: issuance.traderId ?? null,
  };
}

const iso = (ms: number): string => new Date(ms).toISOString();

function readWidth(checks: Checks, { firstSerial, lastSerial }: Issuance__Output): number {
  try {
    const { width } = serialFormOf(firstSerial, lastSerial);
    const isTooLarge = rangeVolume({ first: BigInt(firstSerial), last: BigInt(lastSerial) }) > VOLUME_AT_MOST;
    if (isTooLarge)
      checks.fail('lastSerial', 'volume', `must leave the issuance at most ${VOLUME_AT_MOST} certificates`);
    return width;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    checks.fail('firstSerial', error.violations[0]?.code ?? 'serial', error.message);
    return 0;
  }
}

/** Creates issuances, one bundle each, in one transaction. An id that is stored with the same content is left as it is; with other content it is refused. */
export async function applyIssuances(
  dependencies: { database: Database; clock: Clock },
  issuances: readonly Issuance__Output[],
): Promise<ApplyResult[]> {
  return dependencies.database.transaction(async (em) => {
    const facilities = await facilityIds(
      em,
      issuances.map((issuance) => issuance.productionFacilityCode).filter((code) => FACILITY_CODE.test(code)),
    );
    const results: ApplyResult[] = [];
    const readable = new Map<number, NewIssuance>();
    issuances.forEach((issuance, index) => {
      try {
        readable.set(index, read(issuance, facilities));
      } catch (error) {
        results[index] = refusedResult(error);
      }
    });
    // Of equal ids in one batch only the first can be new; the others are compared with it. In one order, so that two batches with the same ids do not wait for
    // each other in a circle.
    const inOrder = [...readable.values()].reverse().toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
    const firstById = new Map(inOrder.map((issuance) => [issuance.id, issuance]));
    const created = await insertIssuances(em, [...firstById.values()]);
    await openBundles(
      em,
      [...firstById.values()].filter((issuance) => created.has(issuance.id)),
      dependencies.clock.now().toISOString(),
    );
    const known: number[] = [];
    for (const [index, issuance] of readable) {
      if (created.has(issuance.id) && firstById.get(issuance.id) === issuance) results[index] = { outcome: 'CREATED' };
      else known.push(index);
    }
    const same = await sameIssuances(
      em,
      known.map((index) => readable.get(index) as NewIssuance),
    );
    known.forEach((index, place) => (results[index] = same.has(place) ? { outcome: 'UNCHANGED' } : contradiction()));
    return results;
  });
}

const contradiction = (): ApplyResult => {
  const detail = 'An issuance with this id exists with other content.';
  return refusedResult(requestRefused(detail, [{ pointer: '#/issuanceId', code: 'contradiction', detail }]));
};

/** The one bundle of each new issuance, and the transaction that bears its id. */
async function openBundles(em: EntityManager, issuances: readonly NewIssuance[], at: string): Promise<void> {
  if (issuances.length === 0) return;
  const book = new BundleBook();
  const transactions = issuances.map((issuance): NewTransaction => {
    const first = BigInt(issuance.firstSerial);
    const last = BigInt(issuance.lastSerial);
    const bundle: Bundle = {
      id: undefined,
      issuance: { issuanceId: issuance.id, form: { width: issuance.serialWidth }, expired: false },
      first,
      last,
      ownerId: issuance.traderId ?? issuance.accountHolderId,
      salesChannelId: issuance.salesChannelId,
      state: issuance.traderId ? 'LISTABLE' : 'HELD',
    };
    book.open(bundle);
    return {
      id: issuance.id,
      type: 'ISSUANCE',
      status: 'SUCCESS',
      salesChannelId: issuance.salesChannelId,
      sellerId: null,
      buyerId: bundle.ownerId,
      accountHolderId: issuance.accountHolderId,
      currency: null,
      retirement: null,
      taskId: null,
      createdAt: at,
      completedAt: at,
      lines: [{ bundle, issuanceId: issuance.id, first, last, unitPrice: null, source: null }],
    };
  });
  await saveBook(em, book);
  await insertTransactions(em, transactions);
}
