import type { components, paths } from '@saleschannel/console/openapi';
import { createApiClient, unwrapData } from '../shared/api/client.ts';

/** Schemas of the console's own contract. */
export type Schemas = components['schemas'];

/** Base path of the console's own operations. */
export const OPERATIONS_PATH = '/operator/v1';

export const operations = createApiClient<paths>(OPERATIONS_PATH);

export type LookUp = Schemas['LookUp'];

export const lookUp = (id: string, signal: AbortSignal): Promise<LookUp> =>
  unwrapData(operations.GET('/look-up', { signal, params: { query: { id } } }));
