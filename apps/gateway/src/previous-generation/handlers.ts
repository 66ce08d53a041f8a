import { meter } from '@saleschannel/runtime';
import type { Answer } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import { mapDocument, mapItems, previousAsset, previousFacility, previousTransaction } from './answers.ts';
import { previousOperations, previousPath, type PreviousOperationId } from './operations.ts';

export type PreviousHandlers = Pick<Handlers, PreviousOperationId>;

type AnyHandler = (...given: Parameters<Handlers[PreviousOperationId]>) => Promise<Answer> | Answer;

/**
 * The handlers of the previous generation: those of the current one, with answers of the shape that the previous one
 * had. Nothing else is done differently.
 * @param handlers its transfers say of which generation they are
 */
export function previousHandlers(handlers: PreviousHandlers): PreviousHandlers {
  const answered = meter().createCounter('saleschannel.requests.previous_generation', {
    description: 'Executed requests of the previous generation of the API, by operation',
  });
  const shaped: PreviousHandlers = {
    ...pick(handlers),
    listInventory: async (...given) => mapItems(await handlers.listInventory(...given), previousAsset),
    listTransactions: async (...given) =>
      mapItems(await handlers.listTransactions(...given), (transaction) => [previousTransaction(transaction)]),
    getTransaction: async (...given) => mapDocument(await handlers.getTransaction(...given), previousTransaction),
    listProductionFacilities: async (...given) =>
      mapItems(await handlers.listProductionFacilities(...given), (facility) => [previousFacility(facility)]),
    getProductionFacility: async (...given) =>
      mapDocument(await handlers.getProductionFacility(...given), previousFacility),
  };
  const moved = (id: PreviousOperationId): AnyHandler => {
    const handler = shaped[id] as AnyHandler;
    return async (...given) => {
      const answer = await handler(...given);
      answered.add(1, { operation: id });
      return withPreviousAddresses(answer, given[1].response.getHeader('Link'));
    };
  };
  return Object.fromEntries(previousOperations.map((id) => [id, moved(id)])) as unknown as PreviousHandlers;
}

const pick = (handlers: PreviousHandlers): PreviousHandlers =>
  Object.fromEntries(previousOperations.map((id) => [id, handlers[id]])) as unknown as PreviousHandlers;

/** What was made is found where the client made it. A link of the answer stands beside that to the successor. */
function withPreviousAddresses(answer: Answer, successor: unknown): Answer {
  const { Location: location, Link: link } = answer.headers ?? {};
  return {
    ...answer,
    headers: {
      ...answer.headers,
      ...(location === undefined ? {} : { Location: previousPath(location) }),
      ...(link === undefined ? {} : { Link: [link, String(successor)].join(', ') }),
    },
  };
}
