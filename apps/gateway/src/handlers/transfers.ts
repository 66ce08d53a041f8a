import { DomainError, invalidRequest } from '@saleschannel/errors';
import type { ReplyOf, SentTo } from '@saleschannel/grpc';
import { currentTraceparent } from '@saleschannel/runtime';
import type { Clients } from '../clients.ts';
import type { BodyOf } from '../contract/operations.ts';
import { json } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import type { RequestContext } from '../http/request-context.ts';
import { withoutNulls } from './registry.ts';
import { taskOf } from './tasks.ts';
import { TransferBatcher, type StartedTransfer, type StartTransfer } from './transfer-batcher.ts';

/** How long a client should wait between two requests for a task. Most tasks are done well within it. */
const POLL_AFTER_SECONDS = 1;

type Task = ReplyOf<'tasks.GetTask'>;
type TransferType = NonNullable<SentTo<'tasks.GetTask'>['type']>;
type Terms = Pick<StartTransfer, 'trade' | 'retirement' | 'offramp' | 'externalReference' | 'metadata'>;

interface PricedSelection {
  readonly start: string;
  readonly end: string;
  readonly unitPrice?: number | null;
}

/** Writes a price as the client sent it: the JSON reader accepts only numbers that a double holds exactly. */
const priced = ({ start, end, unitPrice }: PricedSelection) => ({
  range: { start, end },
  ...(typeof unitPrice === 'number' ? { unitPrice: String(unitPrice) } : {}),
});

interface Notes {
  readonly externalReference?: string | null;
  readonly metadata?: Readonly<Record<string, string>> | null;
}

/** What the sales channel says of the transfer. */
const notesOf = ({ externalReference, metadata }: Notes): Pick<Terms, 'externalReference' | 'metadata'> =>
  withoutNulls({ externalReference, metadata });

const tradeOf = ({ buyerId, currency, assets, ...notes }: BodyOf<'startTrade'>): Terms => ({
  trade: { buyerId, currency, assets: assets.map(priced) },
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
      assets: assets.map(priced),
    },
    ...notesOf({ externalReference, metadata }),
  };
};

const offrampOf = ({ assets, ...notes }: BodyOf<'startOfframp'>): Terms => ({
  offramp: { assets },
  ...notesOf(notes),
});

const pollHeaders = ({ status }: Task): Record<string, string> =>
  status === 'PENDING' ? { 'Retry-After': String(POLL_AFTER_SECONDS) } : {};

const started = ({ task, replayed }: StartedTransfer, traderId: string, segment: 'trade' | 'retire' | 'offramp') => {
  const inventory = `/saleschannel-services/v1/traders/${encodeURIComponent(traderId)}/inventory`;
  return json(201, taskOf(task), {
    Location: `${inventory}/${segment}/${encodeURIComponent(task.id)}`,
    ...(replayed ? { 'Idempotency-Replayed': 'true' } : {}),
    ...pollHeaders(task),
  });
};

interface TransferInput {
  readonly path: { readonly traderId: string };
  readonly headers: { readonly 'Idempotency-Key': string };
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

/** Trades, retirements and offramps: each starts a task, and the task is asked for its state. */
export function transfers({ tasks }: Clients, batcher: TransferBatcher, generation: Generation = {}): TransferHandlers {
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
  const reader =
    (type: TransferType) =>
    async ({ path }: { path: { traderId: string; taskId: string } }, { call }: RequestContext) => {
      const task = await tasks.GetTask({ type, ...path }, call);
      return json(200, taskOf(task), pollHeaders(task));
    };
  return {
    startTrade: async (input, context) =>
      started(await start(input, context, tradeOf(input.body)), input.path.traderId, 'trade'),
    getTradeTask: reader('TRANSFER_TYPE_TRADE'),
    startRetirement: async (input, context) => {
      const starting = start(input, context, retirementOf(input.body)).catch((error: unknown) => {
        throw atGivenName(error, input.body);
      });
      return started(await starting, input.path.traderId, 'retire');
    },
    getRetirementTask: reader('TRANSFER_TYPE_RETIREMENT'),
    startOfframp: async (input, context) =>
      started(await start(input, context, offrampOf(input.body)), input.path.traderId, 'offramp'),
    getOfframpTask: reader('TRANSFER_TYPE_OFFRAMP'),
  };
}
