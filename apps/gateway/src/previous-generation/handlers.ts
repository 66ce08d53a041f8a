import { meter } from '@saleschannel/runtime';
import type { Answer } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import { mapDocument, mapItems, toPreviousAssets, toPreviousFacility, toPreviousTransaction } from './answers.ts';
import { previousOperations, toPreviousPath, type PreviousOperationId } from './operations.ts';

export type PreviousHandlers = Pick<Handlers, PreviousOperationId>;

type AnyHandler = (...given: Parameters<Handlers[PreviousOperationId]>) => Promise<Answer> | Answer;

/**
 * Creates the handlers of the previous generation from those of the current one, with converted responses.
 * @param handlers handlers whose transfers have the flag of the previous generation
 */
export function convertHandlers(handlers: PreviousHandlers): PreviousHandlers {
  const answered = meter().createCounter('saleschannel.requests.previous_generation', {
    description: 'Executed requests of the previous generation of the API, by operation',
  });
  const converted: PreviousHandlers = {
    ...pick(handlers),
    listInventory: async (...given) => mapItems(await handlers.listInventory(...given), toPreviousAssets),
    listTransactions: async (...given) =>
      mapItems(await handlers.listTransactions(...given), (transaction) => [toPreviousTransaction(transaction)]),
    getTransaction: async (...given) => mapDocument(await handlers.getTransaction(...given), toPreviousTransaction),
    listProductionFacilities: async (...given) =>
      mapItems(await handlers.listProductionFacilities(...given), (facility) => [toPreviousFacility(facility)]),
    getProductionFacility: async (...given) =>
      mapDocument(await handlers.getProductionFacility(...given), toPreviousFacility),
  };
  const wrap = (id: PreviousOperationId): AnyHandler => {
    const handler = converted[id] as AnyHandler;
    return async (...given) => {
      const answer = await handler(...given);
      answered.add(1, { operation: id });
      return withPreviousAddresses(answer, given[1].response.getHeader('Link'));
    };
  };
  return Object.fromEntries(previousOperations.map((id) => [id, wrap(id)])) as unknown as PreviousHandlers;
}

const pick = (handlers: PreviousHandlers): PreviousHandlers =>
  Object.fromEntries(previousOperations.map((id) => [id, handlers[id]])) as unknown as PreviousHandlers;

/** Moves `Location` to paths of the previous generation, and adds the response's `Link` to that of the successor. */
function withPreviousAddresses(answer: Answer, successor: unknown): Answer {
  const { Location: location, Link: link } = answer.headers ?? {};
  return {
    ...answer,
    headers: {
      ...answer.headers,
      ...(location === undefined ? {} : { Location: toPreviousPath(location) }),
      ...(link === undefined ? {} : { Link: [link, String(successor)].join(', ') }),
    },
  };
}
