import { unwrapData } from '../../shared/api/client.ts';
import { operations, type Schemas } from '../api.ts';

export type Channel = Schemas['SalesChannel'];

export const channelsKey = ['channels'];

/** Status for display. The API reports a closed sales channel as SUSPENDED. */
export const channelStatus = ({ status, closedAt }: Channel) => (closedAt === null ? status : 'CLOSED');

/** The API returns all sales channels at once. */
export const fetchChannels = async (signal: AbortSignal): Promise<readonly Channel[]> =>
  (await unwrapData(operations.GET('/sales-channels', { signal }))).items;
