import type { components, paths } from '@saleschannel/console/openapi';
import { clientOf, dataOf } from '../shared/api/client.ts';

/** The messages of the console's own contract. */
export type Schemas = components['schemas'];

/** The console's own operations are below this path. */
export const OPERATIONS = '/operator/v1';

export const operations = clientOf<paths>(OPERATIONS);

export type LookUp = Schemas['LookUp'];

export const lookUp = (id: string, signal: AbortSignal): Promise<LookUp> =>
  dataOf(operations.GET('/look-up', { signal, params: { query: { id } } }));
