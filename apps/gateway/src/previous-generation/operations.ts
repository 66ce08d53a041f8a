import type { OperationId } from '../contract/operations.ts';

const CURRENT = '/saleschannel-services/v1/';
const PREVIOUS = '/saleschannel-services/';

/** Later operations belong to the current generation only. */
export const previousOperations = [
  'listProposals',
  'acceptProposal',
  'rejectProposal',
  'listTraders',
  'getTrader',
  'createTrader',
  'updateTrader',
  'listInventory',
  'startOfframp',
  'getOfframpTask',
  'startTrade',
  'getTradeTask',
  'startRetirement',
  'getRetirementTask',
  'listTransactions',
  'getTransaction',
  'listProductionFacilities',
  'getProductionFacility',
  'getSupplier',
  'listEvents',
] as const satisfies readonly OperationId[];

export type PreviousOperationId = (typeof previousOperations)[number];

export const isPreviousOperation = (id: string): id is PreviousOperationId =>
  previousOperations.some((each) => each === id);

/** Converts a path of the current generation. Other paths are unchanged. */
export const toPreviousPath = (path: string): string =>
  path.startsWith(CURRENT) ? PREVIOUS + path.slice(CURRENT.length) : path;

/** Converts a path of the previous generation. Other paths are unchanged. */
export const toCurrentPath = (path: string): string =>
  path.startsWith(PREVIOUS) ? CURRENT + path.slice(PREVIOUS.length) : path;
