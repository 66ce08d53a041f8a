import { accessRules, isAllowed, type OperationId } from '@saleschannel/auth';
import type { EntityManager } from '@saleschannel/database';
import { forbidden, invalidRequest, notFound, type FaultCode } from '@saleschannel/errors';
import { readerOf, salesChannelOf, userOf, type RequestOf, type ResponseOf, type Rpc } from '@saleschannel/grpc';
import { formatCertificateRef } from '@saleschannel/primitives';
import { idToFind, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { tryMove } from '../domain/bundle-book.ts';
import type { Bundle } from '../domain/bundle.ts';
import { parseInventoryFilter, channelTypes } from '../domain/list-requests.ts';
import { tryPlan, selectVolume, MAX_SELECTIONS, type PlannedSelection, type Shortage } from '../domain/plan.ts';
import { parseSelections, listStarts, type Fault, type Selection } from '../domain/selection.ts';
import { resolveOldSelections, type ResolvedSelections } from '../operations/resolve-old-selections.ts';
import type { IssuanceFacts } from '../store/bundle-views.ts';
import { readContaining } from '../store/bundles.ts';
import { findIssuanceFacts, selectOldestOfRegistry, selectOldestOfTrader } from '../store/inventory-lists.ts';
import { toExactNumber, toJsonDocument, toRange } from './messages.ts';

type Check = RequestOf<'selectionCheck.CheckSelections'>['checks'][number];
type Verdict = NonNullable<ResponseOf<'selectionCheck.CheckSelections'>['verdicts']>[number];

/** Runs before every transfer. Needs one query for all checks, and a second one for the previous generation. */
export const checkSelections: Rpc<'selectionCheck.CheckSelections', Context> =
  ({ database }) =>
  async ({ checks }) => {
    const em = database.em();
    const named = await resolveOldSelections(
      em,
      checks.filter(({ previousGeneration }) => previousGeneration),
    );
    const read = checks.map((check) => ({ check, outcome: named.get(check) ?? parseSelections(check.selections) }));
    const starts = read.flatMap(({ outcome }) => ('faults' in outcome ? [] : listStarts(outcome.selections)));
    const bundles = starts.length > 0 ? await readContaining(em, starts) : [];
    const byIssuance = Map.groupBy(bundles, ({ issuance }) => issuance.issuanceId);
    return { verdicts: read.map(({ check, outcome }) => toVerdict(check, outcome, byIssuance)) };
  };

function toVerdict(
  { salesChannelId, traderId, previousGeneration }: Check,
  outcome: ResolvedSelections,
  byIssuance: ReadonlyMap<string, readonly Bundle[]>,
): Verdict {
  if ('faults' in outcome) return outcome;
  const { selections } = outcome;
  const issuanceIds = [...new Set(selections.map(({ issuanceId }) => issuanceId))];
  const bundles = issuanceIds.flatMap((issuanceId) => byIssuance.get(issuanceId) ?? []);
  const trader = { ownerId: traderId, salesChannelId };
  const trial = tryMove(selections, bundles, trader, { anywhere: previousGeneration });
  const faults = 'faults' in trial ? trial.faults : [];
  return { faults, selections: previousGeneration && faults.length === 0 ? selections.map(toCertificateRange) : [] };
}

const toCertificateRange = ({ issuanceId, firstText, lastText }: Selection) => ({
  start: formatCertificateRef(issuanceId, firstText),
  end: formatCertificateRef(issuanceId, lastText),
});

/** The operation that carries out a plan. Planning needs the same permission. */
const startedBy = {
  TRADE: 'startTrade',
  RETIREMENT: 'startRetirement',
  OFFRAMP: 'startOfframp',
} as const satisfies Record<(typeof channelTypes)[number], OperationId>;

const INVALID_PLAN = 'The transfer cannot be planned.';
const planSchema = z.object({ type: z.enum(channelTypes) });
const oldestSchema = z.object({ oldest: z.object({ volume: z.string().regex(/^[1-9]\d{0,15}$/) }) });

interface Trader {
  readonly salesChannelId: string;
  readonly traderId: string;
}

/** A fault as a problem lists it in `errors`. */
interface PlanFault {
  readonly pointer: string;
  readonly code: FaultCode;
  readonly detail: string;
}

type Plan = { readonly planned: readonly PlannedSelection[] } | { readonly faults: readonly PlanFault[] };

type PlanRequest = RequestOf<'inventory.PlanTransfer'>;

export const planTransfer: Rpc<'inventory.PlanTransfer', Context> =
  ({ reads, isTrader, clock }) =>
  async (request, call) => {
    const trader = { salesChannelId: salesChannelOf(call), traderId: idToFind(request.traderId) };
    const { type } = parse(planSchema, request, INVALID_PLAN);
    if (!isAllowed(accessRules[startedBy[type]], userOf(call))) throw forbidden();
    const filter = parseInventoryFilter(request.oldest?.filter);
    if (!(await isTrader(trader.salesChannelId, trader.traderId, call))) throw notFound();
    return reads.page(readerOf(call), async (em) => {
      const plan = await (request.oldest ? planOldest(em, trader, request, filter) : planAssets(em, trader, request));
      const issuanceIds = 'planned' in plan ? plan.planned.map(({ issuance }) => issuance.issuanceId) : [];
      const facts = issuanceIds.length > 0 ? await findIssuanceFacts(em, [...new Set(issuanceIds)]) : new Map();
      return toJsonDocument({ type, plannedAt: clock.now().toISOString(), ...toPlan(plan, facts) });
    });
  };

async function planAssets(em: EntityManager, trader: Trader, { assets }: PlanRequest): Promise<Plan> {
  if (assets.length === 0 || assets.length > MAX_SELECTIONS)
    throw invalidRequest(INVALID_PLAN, [
      { pointer: '#/assets', code: 'maxItems', detail: `must have 1 to ${MAX_SELECTIONS} items` },
    ]);
  const read = parseSelections(assets);
  if ('faults' in read) return toFaults(read.faults);
  return planSelections(read.selections, await readContaining(em, listStarts(read.selections)), trader);
}

async function planOldest(
  em: EntityManager,
  trader: Trader,
  request: PlanRequest,
  filter: ReturnType<typeof parseInventoryFilter>,
): Promise<Plan> {
  const volume = BigInt(parse(oldestSchema, request, INVALID_PLAN).oldest.volume);
  const planFrom = async (selectOldest: typeof selectOldestOfTrader): Promise<Plan | Shortage> => {
    const bundles = await selectOldest(em, trader, filter, MAX_SELECTIONS + 1);
    const selections = selectVolume(bundles, volume);
    return Array.isArray(selections) ? planSelections(selections, bundles, trader) : selections;
  };
  const first = await planFrom(selectOldestOfRegistry);
  // Reading further helps a plan that lacks bundles, not one that has too many.
  const lacksBundles = 'code' in first && first.code === 'volume-unavailable';
  const plan = lacksBundles ? await planFrom(selectOldestOfTrader) : first;
  return 'code' in plan ? { faults: [{ pointer: '#/volume', ...plan }] } : plan;
}

function planSelections(
  selections: readonly Selection[],
  bundles: readonly Bundle[],
  { salesChannelId, traderId }: Trader,
): Plan {
  const outcome = tryPlan(selections, bundles, { ownerId: traderId, salesChannelId });
  return 'faults' in outcome ? toFaults(outcome.faults) : outcome;
}

const toFaults = (faults: readonly Fault[]): Plan => ({
  faults: faults.map(({ index, field, code, detail }) => ({ pointer: `#/assets/${index}/${field}`, code, detail })),
});

/** A plan with faults takes nothing. */
function toPlan(plan: Plan, facts: ReadonlyMap<string, IssuanceFacts>): object {
  if ('faults' in plan) return { volume: 0, selections: [], faults: plan.faults };
  const total = plan.planned.reduce((sum, { first, last }) => sum + last - first + 1n, 0n);
  const selections = plan.planned.map(({ issuance: { issuanceId, form }, first, last, bundleFirst, bundleLast }) => {
    const issuance = facts.get(issuanceId);
    if (!issuance) throw new Error('a bundle has no issuance');
    const written = { issuanceId, serialWidth: form.width };
    return {
      ...toRange(written, first, last),
      vintage: issuance.vintage,
      methodologyCode: issuance.methodologyCode,
      productionFacilityId: issuance.facilityId,
      issuingDate: issuance.issuingDate,
      bundle: toRange(written, bundleFirst, bundleLast),
      remainder: last === bundleLast ? null : toRange(written, last + 1n, bundleLast),
    };
  });
  return { volume: toExactNumber(String(total)), selections, faults: [] };
}
