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

export type Channel = Schemas['SalesChannel'];

export const channelsKey = ['channels'];

/** Status for display. The API reports a closed sales channel as SUSPENDED. */
export const channelStatus = ({ status, closedAt }: Channel) => (closedAt === null ? status : 'CLOSED');

/** The API returns all sales channels at once. */
export const fetchChannels = async (signal: AbortSignal): Promise<readonly Channel[]> =>
  (await unwrapData(operations.GET('/sales-channels', { signal }))).items;

/** Page limit of the services. */
export const PAGE_SIZE = 100;
