import { dataOf } from '../../shared/api/client.ts';
import { operations, type Schemas } from '../api.ts';

export type LookUp = Schemas['LookUp'];

export const lookUp = (id: string, signal: AbortSignal): Promise<LookUp> =>
  dataOf(operations.GET('/look-up', { signal, params: { query: { id } } }));
