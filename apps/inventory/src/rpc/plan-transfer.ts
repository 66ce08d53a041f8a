import { isAllowed, access, type OperationId } from '@saleschannel/auth';
import type { EntityManager } from '@saleschannel/database';
import { forbidden, invalidRequest, notFound, type FaultCode } from '@saleschannel/errors';
import { readerOf, salesChannelOf, userOf, type RequestOf, type Rpc } from '@saleschannel/grpc';
import { idToFind, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { readInventoryFilter, typesOfChannel } from '../domain/list-filters.ts';
import { planOf, selectVolume, SELECTIONS_AT_MOST, type PlannedSelection, type Shortage } from '../domain/plan.ts';
import { readSelections, startsOf, type Fault } from '../domain/selection.ts';
import type { IssuanceFacts } from '../store/bundle-views.ts';
import { readCovering } from '../store/bundles.ts';
import { findIssuanceFacts, oldestOfRegistry, oldestOfTrader } from '../store/plans.ts';
import { documentOf, exactNumber, rangeOf } from './messages.ts';

/** Which operation carries out what is planned. Whoever may not ask for it may not plan it. */
const startedBy = {
  TRADE: 'startTrade',
  RETIREMENT: 'startRetirement',
  OFFRAMP: 'startOfframp',
} as const satisfies Record<(typeof typesOfChannel)[number], OperationId>;

const planSchema = z.object({ type: z.enum(typesOfChannel) });
const oldestSchema = z.object({ oldest: z.object({ volume: z.string().regex(/^[1-9]\d{0,15}$/) }) });

interface Trader {
  readonly salesChannelId: string;
  readonly traderId: string;
}

/** What is wrong with a plan, in the words of a problem's `errors`. */
interface PlanFault {
  readonly pointer: string;
  readonly code: FaultCode;
  readonly detail: string;
}

type Plan = { readonly planned: readonly PlannedSelection[] } | { readonly faults: readonly PlanFault[] };

const faultsOfSelections = (faults: readonly Fault[]): Plan => ({
  faults: faults.map(({ index, field, code, detail }) => ({ pointer: `#/assets/${index}/${field}`, code, detail })),
});

const ownerOf = ({ salesChannelId, traderId }: Trader) => ({ ownerId: traderId, salesChannelId });

export const planTransfer: Rpc<'inventory.PlanTransfer', Context> =
  ({ reads, isTrader, clock }) =>
  async (request, call) => {
    const trader = { salesChannelId: salesChannelOf(call), traderId: idToFind(request.traderId) };
    const { type } = parse(planSchema, request, 'The transfer cannot be planned.');
    if (!isAllowed(access[startedBy[type]], userOf(call))) throw forbidden();
    const filter = readInventoryFilter(request.oldest?.filter);
    if (!(await isTrader(trader.salesChannelId, trader.traderId, call))) throw notFound();
    return reads.page(readerOf(call), async (em) => {
      const plan = await (request.oldest ? planOldest(em, trader, request, filter) : planAssets(em, trader, request));
      const facts = 'planned' in plan ? await findIssuanceFacts(em, issuancesOf(plan.planned)) : new Map();
      return documentOf(JSON.stringify({ type, plannedAt: clock.now().toISOString(), ...shown(plan, facts) }));
    });
  };

async function planAssets(em: EntityManager, trader: Trader, { assets }: Request): Promise<Plan> {
  if (assets.length === 0 || assets.length > SELECTIONS_AT_MOST)
    throw invalidRequest('The transfer cannot be planned.', [
      { pointer: '#/assets', code: 'maxItems', detail: `must have 1 to ${SELECTIONS_AT_MOST} items` },
    ]);
  const read = readSelections(assets);
  if ('faults' in read) return faultsOfSelections(read.faults);
  const outcome = planOf(read.selections, await readCovering(em, startsOf(read.selections)), ownerOf(trader));
  return 'faults' in outcome ? faultsOfSelections(outcome.faults) : outcome;
}

type Request = RequestOf<'inventory.PlanTransfer'>;

async function planOldest(
  em: EntityManager,
  trader: Trader,
  request: Request,
  filter: ReturnType<typeof readInventoryFilter>,
): Promise<Plan> {
  const volume = BigInt(parse(oldestSchema, request, 'The transfer cannot be planned.').oldest.volume);
  const takeFrom = async (oldest: typeof oldestOfTrader): Promise<Plan | Shortage> => {
    const bundles = await oldest(em, trader, filter, SELECTIONS_AT_MOST + 1);
    const selections = selectVolume(bundles, volume);
    if (!Array.isArray(selections)) return selections;
    const outcome = planOf(selections, bundles, ownerOf(trader));
    return 'faults' in outcome ? faultsOfSelections(outcome.faults) : outcome;
  };
  const first = await takeFrom(oldestOfRegistry);
  // The rest is of use only to what needs more bundles, not to what has too many already.
  const lacksMore = 'code' in first && first.code === 'volume-unavailable';
  const plan = lacksMore ? await takeFrom(oldestOfTrader) : first;
  return 'code' in plan ? { faults: [{ pointer: '#/volume', ...plan }] } : plan;
}

const issuancesOf = (planned: readonly PlannedSelection[]): string[] => [
  ...new Set(planned.map(({ issuance }) => issuance.issuanceId)),
];

/** A plan as JSON shows it: with faults nothing would be taken. */
function shown(plan: Plan, facts: ReadonlyMap<string, IssuanceFacts>): object {
  if ('faults' in plan) return { volume: 0, selections: [], faults: plan.faults };
  const total = plan.planned.reduce((sum, { first, last }) => sum + last - first + 1n, 0n);
  const selections = plan.planned.map((selection) => {
    const { issuance, first, last, bundleFirst, bundleLast } = selection;
    const written = { issuanceId: issuance.issuanceId, serialWidth: issuance.form.width };
    const { vintage, methodologyCode, productionFacilityId, issuingDate } = factsOf(facts.get(issuance.issuanceId));
    return {
      ...rangeOf(written, first, last),
      vintage,
      methodologyCode,
      productionFacilityId,
      issuingDate,
      bundle: rangeOf(written, bundleFirst, bundleLast),
      remainder: last === bundleLast ? null : rangeOf(written, last + 1n, bundleLast),
    };
  });
  return { volume: exactNumber(String(total)), selections, faults: [] };
}

function factsOf(facts: IssuanceFacts | undefined) {
  if (!facts) throw new Error('a bundle has no issuance');
  const { vintage, methodologyCode, facilityId: productionFacilityId, issuingDate } = facts;
  return { vintage, methodologyCode, productionFacilityId, issuingDate };
}
