import { DomainError, invalidRequest } from '@saleschannel/errors';
import type { SentTo } from '@saleschannel/grpc';
import { toUnitPrice } from '@saleschannel/primitives';
import { currentTraceparent } from '@saleschannel/runtime';
import type { Clients } from '../clients.ts';
import type { BodyOf } from '../contract/operations.ts';
import { json } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import type { RequestContext } from '../http/request-context.ts';
import { withoutNulls } from './registry.ts';
import { awaitTask } from './await-task.ts';
import type { TaskWaits } from './task-waits.ts';
import { taskOf } from './tasks.ts';
import { TransferBatcher, type StartedTransfer, type StartTransfer } from './transfer-batcher.ts';

type TransferType = NonNullable<SentTo<'tasks.GetTask'>['type']>;
type Terms = Pick<StartTransfer, 'trade' | 'retirement' | 'offramp' | 'externalReference' | 'metadata'>;

interface PricedSelection {
  readonly start: string;
  readonly end: string;
  readonly unitPrice?: number | null;
}

/** The JSON reader has rejected numbers that a double cannot hold exactly, and the contract prices beyond the limits. */
const toSelection = ({ start, end, unitPrice }: PricedSelection) => ({
  range: { start, end },
  ...(typeof unitPrice === 'number' ? { unitPrice: toUnitPrice(unitPrice) } : {}),
});

interface Notes {
  readonly externalReference?: string | null;
  readonly metadata?: Readonly<Record<string, string>> | null;
}

/** What the sales channel says of the transfer. */
const notesOf = ({ externalReference, metadata }: Notes): Pick<Terms, 'externalReference' | 'metadata'> =>
  withoutNulls({ externalReference, metadata });

const tradeOf = ({ buyerId, currency, assets, ...notes }: BodyOf<'startTrade'>): Terms => ({
  trade: { buyerId, currency, assets: assets.map(toSelection) },
  ...notesOf(notes),
});

type RetirementBody = BodyOf<'startRetirement'>;

const EMBARGO = '#/statement/beneficiaryHiddenUntil';
/** The other name of the end of an embargo. */
const EMBARGO_ALIAS = '#/beneficiaryHiddenUntil';

/** @throws DomainError 'invalid-request' when the two names of the end of an embargo hold different times */
function statementOf({ statement, beneficiaryHiddenUntil: alias = null }: RetirementBody): RetirementBody['statement'] {
  if (alias === null) return statement;
  const until = statement?.beneficiaryHiddenUntil ?? alias;
  if (Date.parse(until) !== Date.parse(alias)) {
    const detail = 'must be the same as statement.beneficiaryHiddenUntil where both are given';
    throw invalidRequest('The request is not valid.', [{ pointer: EMBARGO_ALIAS, code: 'embargo-differs', detail }]);
  }
  return { publication: 'LINK', ...statement, beneficiaryHiddenUntil: until };
}

/** Points faults of the embargo at the name that the client gave it. */
function atGivenName(error: unknown, { statement, beneficiaryHiddenUntil: alias }: RetirementBody): unknown {
  if (!(error instanceof DomainError) || !alias || statement?.beneficiaryHiddenUntil !== undefined) return error;
  const { code, message, retryAfterSeconds } = error;
  const violations = error.violations.map((each) =>
    each.pointer === EMBARGO ? { ...each, pointer: EMBARGO_ALIAS } : each,
  );
  return new DomainError(code, message, { violations, retryAfterSeconds, cause: error });
}

const retirementOf = (body: RetirementBody): Terms => {
  const { assets, currency, externalReference, metadata, beneficiaryHiddenUntil: _alias, ...rest } = body;
  const statement = statementOf(body);
  const { beneficiaryType = 'END_CONSUMER', usageType = 'GENERIC_COMPENSATION' } = rest;
  const inCurrency = currency === null ? {} : { currency };
  return {
    retirement: {
      ...rest,
      ...(statement === undefined ? {} : { statement }),
      ...inCurrency,
      beneficiaryType,
      usageType,
      assets: assets.map(toSelection),
    },
    ...notesOf({ externalReference, metadata }),
  };
};

const offrampOf = ({ assets, ...notes }: BodyOf<'startOfframp'>): Terms => ({
  offramp: { assets },
  ...notesOf(notes),
});

interface Kind {
  readonly type: TransferType;
  /** Of the path of its tasks. */
  readonly segment: 'trade' | 'retire' | 'offramp';
}

const trade: Kind = { type: 'TRANSFER_TYPE_TRADE', segment: 'trade' };
const retirement: Kind = { type: 'TRANSFER_TYPE_RETIREMENT', segment: 'retire' };
const offramp: Kind = { type: 'TRANSFER_TYPE_OFFRAMP', segment: 'offramp' };

interface TransferInput {
  readonly path: { readonly traderId: string };
  readonly headers: { readonly 'Idempotency-Key': string; readonly Prefer?: string };
}

interface TaskInput {
  readonly path: { readonly traderId: string; readonly taskId: string };
  readonly headers: { readonly Prefer?: string };
}

type TransferHandlers = Pick<
  Handlers,
  'startTrade' | 'getTradeTask' | 'startRetirement' | 'getRetirementTask' | 'startOfframp' | 'getOfframpTask'
>;

/** What gathers the transfers of concurrent requests. There is one, whatever the requests look like. */
export const createTransferBatcher = ({ tasks }: Clients): TransferBatcher =>
  new TransferBatcher((request, options) => tasks.StartTransfers(request, options));

/** How the requests of a generation of the API name certificates. */
type Generation = Pick<StartTransfer, 'previousGeneration'>;

interface Dependencies {
  readonly batcher: TransferBatcher;
  readonly waits: TaskWaits;
}

/** Trades, retirements and offramps: each starts a task, and the task is asked for its state. */
export function transfers(
  { tasks }: Clients,
  { batcher, waits }: Dependencies,
  generation: Generation = {},
): TransferHandlers {
  const start = ({ path, headers }: TransferInput, client: RequestContext, terms: Terms) => {
    const { principalToken, requestId, clientAddress, user, cost } = client;
    return batcher.start(
      {
        principalToken,
        requestId,
        ...(clientAddress === undefined ? {} : { clientAddress }),
        traceparent: currentTraceparent(),
        traderId: path.traderId,
        idempotencyKey: headers['Idempotency-Key'],
        ...generation,
        ...terms,
      },
      // Without a channel there is no role, and without the role no request comes here.
      { salesChannelId: user.salesChannelId ?? 'none', client, bodyBytes: cost.bodyBytes },
    );
  };
  const started = async (
    starting: Promise<StartedTransfer>,
    input: TransferInput,
    context: RequestContext,
    kind: Kind,
  ) => {
    const { traderId } = input.path;
    const { task: known, replayed } = await starting;
    const place = { type: kind.type, traderId, taskId: known.id };
    const { task, headers } = await awaitTask({ tasks, waits }, known, {
      context,
      place,
      prefer: input.headers.Prefer,
    });
    const inventory = `/saleschannel-services/v1/traders/${encodeURIComponent(traderId)}/inventory`;
    return json(201, taskOf(task), {
      Location: `${inventory}/${kind.segment}/${encodeURIComponent(task.id)}`,
      ...(replayed ? { 'Idempotency-Replayed': 'true' } : {}),
      ...headers,
    });
  };
  const reader =
    ({ type }: Kind) =>
    async ({ path, headers: { Prefer: prefer } }: TaskInput, context: RequestContext) => {
      const place = { type, ...path };
      const known = await tasks.GetTask(place, context.call);
      const { task, headers } = await awaitTask({ tasks, waits }, known, { context, place, prefer });
      return json(200, taskOf(task), headers);
    };
  return {
    startTrade: (input, context) => started(start(input, context, tradeOf(input.body)), input, context, trade),
    getTradeTask: reader(trade),
    startRetirement: async (input, context) => {
      const starting = start(input, context, retirementOf(input.body)).catch((error: unknown) => {
        throw atGivenName(error, input.body);
      });
      return started(starting, input, context, retirement);
    },
    getRetirementTask: reader(retirement),
    startOfframp: (input, context) => started(start(input, context, offrampOf(input.body)), input, context, offramp),
    getOfframpTask: reader(offramp),
  };
}
