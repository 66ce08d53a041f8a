import type { Contract } from '../contract/document.ts';
import type { Generation } from '../http/routes.ts';
import { previousContract } from './contract.ts';
import type { PreviousHandlers } from './handlers.ts';
import { deprecationNotice } from './notice.ts';

/**
 * The previous generation of the API, beside the current one.
 * @param current the contract of the current generation
 * @param sunset when it ends, as its answers tell. It does not end by itself
 */
export const previousGeneration = (current: Contract, handlers: PreviousHandlers, sunset: Date): Generation => ({
  contract: previousContract(current),
  handlers,
  before: deprecationNotice(sunset),
  documentPath: '/openapi-previous.json',
});
