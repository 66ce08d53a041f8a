import { dataOf } from '../../shared/api/client.ts';
import { operations, type Schemas } from '../api.ts';

export type Channel = Schemas['SalesChannel'];

export const channelsKey = ['channels'];

/** A closed channel is SUSPENDED for good. People are shown that it is closed. */
export const shownStatus = ({ status, closedAt }: Channel) => (closedAt === null ? status : 'CLOSED');

/** The contract gives all of them at once. */
export const allChannels = async (signal: AbortSignal): Promise<readonly Channel[]> =>
  (await dataOf(operations.GET('/sales-channels', { signal }))).items;
