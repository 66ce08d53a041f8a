import type { components, paths } from '@saleschannel/console/openapi';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { clientOf } from '../shared/api/client.ts';

/** The messages of the console's own contract. */
export type Schemas = components['schemas'];

/** The console's own operations are below this path. */
export const OPERATIONS = '/operator/v1';

export const operations = clientOf<paths>(OPERATIONS);

/** What a page asks again by itself is nobody's act, and keeps nobody signed in. */
export const askedBy = ({ client, queryKey }: { client: QueryClient; queryKey: QueryKey }) => ({
  'X-Portal': client.getQueryData(queryKey) === undefined ? '1' : 'background',
});
