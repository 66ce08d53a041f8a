import { DomainError, invalidRequest } from '@saleschannel/errors';
import type { SentTo } from '@saleschannel/grpc';
import { toUnitPrice } from '@saleschannel/primitives';
import { currentTraceparent } from '@saleschannel/runtime';
import type { Clients } from '../clients.ts';
import type { BodyOf } from '../contract/operations.ts';
import { createJsonAnswer } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import type { RequestContext } from '../http/request-context.ts';
import { awaitTask, toTask } from './tasks.ts';
import type { TaskWaits } from './task-waits.ts';
import { TransferBatcher, type StartedTransfer, type StartTransfer } from './transfer-batcher.ts';
import { withoutNulls } from './requests.ts';

type TransferType = NonNullable<SentTo<'tasks.GetTask'>['type']>;
type Terms = Pick<StartTransfer, 'trade' | 'retirement' | 'offramp' | 'externalReference' | 'metadata'>;

interface PricedSelection {
  readonly start: string;
  readonly end: string;
  readonly unitPrice?: number | null;
}

/**
 * The price is exact: the JSON parser has rejected numbers that a double cannot hold exactly, and the contract has
 * rejected prices beyond the limits.
 */
const toSelection = ({ start, end, unitPrice }: PricedSelection) => ({
  range: { start, end },
  ...(typeof unitPrice === 'number' ? { unitPrice: toUnitPrice(unitPrice) } : {}),
});

interface Notes {
  readonly externalReference?: string | null;
  readonly metadata?: Readonly<Record<string, string>> | null;
}

/** The sales channel's own data of the transfer. */
const toNotes = ({ externalReference, metadata }: Notes): Pick<Terms, 'externalReference' | 'metadata'> =>
  withoutNulls({ externalReference, metadata });

const toTrade = ({ buyerId, currency, assets, ...notes }: BodyOf<'startTrade'>): Terms => ({
  trade: { buyerId, currency, assets: assets.map(toSelection) },
  ...toNotes(notes),
});

type RetirementBody = BodyOf<'startRetirement'>;

const EMBARGO = '#/statement/beneficiaryHiddenUntil';
/** Alias of {@link EMBARGO}. */
const EMBARGO_ALIAS = '#/beneficiaryHiddenUntil';

/** @throws DomainError 'invalid-request' if the embargo and its alias differ */
function readStatement({
  statement,
  beneficiaryHiddenUntil: alias = null,
}: RetirementBody): RetirementBody['statement'] {
  if (alias === null) return statement;
  const until = statement?.beneficiaryHiddenUntil ?? alias;
  if (Date.parse(until) !== Date.parse(alias)) {
    const detail = 'must equal statement.beneficiaryHiddenUntil if both are given';
    throw invalidRequest('The request is not valid.', [{ pointer: EMBARGO_ALIAS, code: 'embargo-differs', detail }]);
  }
  return { publication: 'LINK', ...statement, beneficiaryHiddenUntil: until };
}

/** Moves violations of the embargo to its alias if the client used the alias. */
function withAlias(error: unknown, { statement, beneficiaryHiddenUntil: alias }: RetirementBody): unknown {
  if (!(error instanceof DomainError) || !alias || statement?.beneficiaryHiddenUntil !== undefined) return error;
  const { code, message, retryAfterSeconds } = error;
  const violations = error.violations.map((each) =>
    each.pointer === EMBARGO ? { ...each, pointer: EMBARGO_ALIAS } : each,
  );
  return new DomainError(code, message, { violations, retryAfterSeconds, cause: error });
}

const toRetirement = (body: RetirementBody): Terms => {
  const { assets, currency, externalReference, metadata, beneficiaryHiddenUntil: _alias, ...rest } = body;
  const statement = readStatement(body);
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
    ...toNotes({ externalReference, metadata }),
  };
};

const toOfframp = ({ assets, ...notes }: BodyOf<'startOfframp'>): Terms => ({
  offramp: { assets },
  ...toNotes(notes),
});

interface Kind {
  readonly type: TransferType;
  /** Path segment of its tasks. */
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

/** Both generations of the API share one batcher. */
export const createTransferBatcher = ({ tasks }: Clients): TransferBatcher =>
  new TransferBatcher((request, options) => tasks.StartTransfers(request, options));

/** Flag that tells the task service how a request identifies certificates. */
type Generation = Pick<StartTransfer, 'previousGeneration'>;

interface Dependencies {
  readonly batcher: TransferBatcher;
  readonly waits: TaskWaits;
}

export function createTransferHandlers(
  { tasks }: Clients,
  { batcher, waits }: Dependencies,
  generation: Generation = {},
) {
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
      // A user without a channel has no role, so the access rule has rejected the request.
      { salesChannelId: user.salesChannelId ?? 'none', client, bodyBytes: cost.bodyBytes },
    );
  };
  const respond = async (
    starting: Promise<StartedTransfer>,
    input: TransferInput,
    context: RequestContext,
    kind: Kind,
  ) => {
    const { traderId } = input.path;
    const { task: started, replayed } = await starting;
    const key = { type: kind.type, traderId, taskId: started.id };
    const { task, headers } = await awaitTask({ tasks, waits }, started, {
      context,
      key,
      prefer: input.headers.Prefer,
    });
    const inventory = `/saleschannel-services/v1/traders/${encodeURIComponent(traderId)}/inventory`;
    return createJsonAnswer(201, toTask(task), {
      Location: `${inventory}/${kind.segment}/${encodeURIComponent(task.id)}`,
      ...(replayed ? { 'Idempotency-Replayed': 'true' } : {}),
      ...headers,
    });
  };
  const readTask =
    ({ type }: Kind) =>
    async ({ path, headers: { Prefer: prefer } }: TaskInput, context: RequestContext) => {
      const key = { type, ...path };
      const known = await tasks.GetTask(key, context.callOptions);
      const { task, headers } = await awaitTask({ tasks, waits }, known, { context, key, prefer });
      return createJsonAnswer(200, toTask(task), headers);
    };
  return {
    startTrade: (input, context) => respond(start(input, context, toTrade(input.body)), input, context, trade),
    getTradeTask: readTask(trade),
    startRetirement: async (input, context) => {
      const starting = start(input, context, toRetirement(input.body)).catch((error: unknown) => {
        throw withAlias(error, input.body);
      });
      return respond(starting, input, context, retirement);
    },
    getRetirementTask: readTask(retirement),
    startOfframp: (input, context) => respond(start(input, context, toOfframp(input.body)), input, context, offramp),
    getOfframpTask: readTask(offramp),
  } satisfies Partial<Handlers>;
}
