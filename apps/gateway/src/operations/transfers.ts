import type { Selection } from '@saleschannel/contracts/gen/tasks/v1/Selection';
import type { StartTransfer } from '@saleschannel/contracts/gen/tasks/v1/StartTransfer';
import type { Task__Output } from '@saleschannel/contracts/gen/tasks/v1/Task';
import { unitPriceFromJson } from '@saleschannel/primitives';
import { currentTraceparent } from '@saleschannel/runtime';
import type { Clients } from '../clients.ts';
import { json, type Answer } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Handler } from '../http/pipeline.ts';
import { TransferBatcher } from '../transfers/batcher.ts';

/** A polite pause between two questions for a task: most are done well within it. */
const POLL_AFTER_SECONDS = 1;

interface SelectionBody {
  start: string;
  end: string;
  unitPrice?: number;
}

interface TradeBody {
  buyerId: string;
  assets: SelectionBody[];
  currency: string;
}

interface RetirementBody {
  beneficiaryName: string;
  beneficiaryLocation: string;
  beneficiaryType?: string;
  consumptionCountryCode: string;
  usageType?: string;
  consumptionPeriod: { start: string; end: string };
  retirementPurpose: string;
  assets: SelectionBody[];
  currency: string | null;
}

type TransferKind = 'TRADE' | 'RETIREMENT' | 'OFFRAMP';
/** What the body of each kind adds to a transfer. */
type Read = (body: never) => Pick<StartTransfer, 'assets' | 'buyerId' | 'currency' | 'retirement'>;

const selections = (assets: SelectionBody[]): Selection[] =>
  assets.map(({ start, end, unitPrice }, index) =>
    unitPrice === undefined
      ? { start, end }
      : { start, end, unitPrice: unitPriceFromJson(unitPrice, `#/assets/${index}/unitPrice`) },
  );

const readTrade = ({ assets, buyerId, currency }: TradeBody) => ({ assets: selections(assets), buyerId, currency });

const readRetirement = ({
  assets,
  currency,
  consumptionPeriod,
  beneficiaryType,
  usageType,
  ...rest
}: RetirementBody) => ({
  assets: selections(assets),
  ...(currency === null ? {} : { currency }),
  retirement: {
    ...rest,
    beneficiaryType: beneficiaryType ?? 'END_CONSUMER',
    usageType: usageType ?? 'GENERIC_COMPENSATION',
    consumptionPeriodStart: consumptionPeriod.start,
    consumptionPeriodEnd: consumptionPeriod.end,
  },
});

const readOfframp = ({ assets }: { assets: SelectionBody[] }) => ({ assets: selections(assets) });

const pathSegments: Record<TransferKind, string> = { TRADE: 'trade', RETIREMENT: 'retire', OFFRAMP: 'offramp' };

function taskAnswer(status: number, task: Task__Output, headers: Record<string, string>): Answer {
  if (task.status === 'PENDING') headers['Retry-After'] = String(POLL_AFTER_SECONDS);
  const responsePayload = task.transactionId === undefined ? {} : { id: task.transactionId };
  return json(
    status,
    {
      taskId: task.id,
      status: task.status,
      idempotencyKey: task.idempotencyKey,
      message: task.message,
      responsePayload,
    },
    headers,
  );
}

function starter(batcher: TransferBatcher, operation: TransferKind, read: Read): Handler {
  return async ({ principalToken, path, body, request }: Exchange) => {
    const traderId = path['traderId'] ?? '';
    const { task, replayed } = await batcher.start({
      principalToken,
      traceparent: currentTraceparent(),
      operation,
      traderId,
      idempotencyKey: request.headers['idempotency-key'] as string,
      ...read(body as never),
    });
    const location = `/saleschannel-services/v1/traders/${encodeURIComponent(traderId)}/inventory/${pathSegments[operation]}/${encodeURIComponent(task.id)}`;
    return taskAnswer(201, task, { Location: location, ...(replayed ? { 'Idempotency-Replayed': 'true' } : {}) });
  };
}

/** Trades, retirements and offramps: each starts a task, and the task is asked for its state. */
export const transfers = ({ tasks }: Clients) => {
  const batcher = new TransferBatcher((request, options) => tasks.StartTransfers(request, options));
  const reader =
    (operation: TransferKind): Handler =>
    async ({ call, path }) =>
      taskAnswer(
        200,
        await tasks.GetTask({ operation, traderId: path['traderId'] ?? '', taskId: path['taskId'] ?? '' }, call),
        {},
      );
  return {
    startTrade: starter(batcher, 'TRADE', readTrade),
    getTradeTask: reader('TRADE'),
    startRetirement: starter(batcher, 'RETIREMENT', readRetirement),
    getRetirementTask: reader('RETIREMENT'),
    startOfframp: starter(batcher, 'OFFRAMP', readOfframp),
    getOfframpTask: reader('OFFRAMP'),
  } satisfies Record<string, Handler>;
};
