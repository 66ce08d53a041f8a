import type { OperationId } from '../contract/operations.ts';

const CURRENT = '/saleschannel-services/v1/';
const PREVIOUS = '/saleschannel-services/';

/** The operations that the previous generation of the API has. Later ones are for the current generation alone. */
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

export const isOfPreviousGeneration = (id: string): id is PreviousOperationId =>
  previousOperations.some((each) => each === id);

/** From a path of the current generation to that of the previous one. Other paths stay. */
export const previousPath = (path: string): string =>
  path.startsWith(CURRENT) ? PREVIOUS + path.slice(CURRENT.length) : path;

/** From a path of the previous generation to that of the current one. */
export const currentPath = (path: string): string =>
  path.startsWith(PREVIOUS) ? CURRENT + path.slice(PREVIOUS.length) : path;
