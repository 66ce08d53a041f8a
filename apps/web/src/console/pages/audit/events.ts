import { dataOf } from '../../../shared/api/client.ts';
import { useCursorSource } from '../../../shared/ui/cursor-source.ts';
import type { RowSource } from '../../../shared/ui/row-source.ts';
import { operations, type Schemas } from '../../api.ts';

export type AuditEvent = Schemas['AuditEvent'];
export type Service = Schemas['AuditedService'];

export const services: readonly Service[] = ['identity', 'rbac', 'traders', 'inventory', 'registry-import', 'webhooks'];

/** What concerns nobody in particular. */
export const INSTALLATION = 'installation';
const PAGE_SIZE = 100;
const DAY_MS = 86_400_000;

export interface Filters {
  readonly scope: string;
  readonly service: Service | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const beginOf = (day: string): Date => new Date(`${day}T00:00:00Z`);

/** Days as the times of the contract: the last one with its last moment. What no day can be is left out. */
export const timesOf = ({ from, to }: Pick<Filters, 'from' | 'to'>): { from?: string; to?: string } => ({
  ...(from !== undefined && DAY.test(from) && { from: beginOf(from).toISOString() }),
  ...(to !== undefined && DAY.test(to) && { to: new Date(beginOf(to).getTime() + DAY_MS).toISOString() }),
});

export const useAuditEvents = (filters: Filters): RowSource<AuditEvent> =>
  useCursorSource<AuditEvent>({
    queryKey: ['audit-events', filters],
    fetchPage: ({ after, signal }) => {
      const { scope, service } = filters;
      const query = {
        scope,
        limit: PAGE_SIZE,
        ...timesOf(filters),
        ...(service !== undefined && { service }),
        ...(after !== undefined && { after }),
      };
      return dataOf(operations.GET('/audit-events', { signal, params: { query } }));
    },
  });

/** `user cm7q…`: what somebody or something is, then which one. */
export const inWords = ({ kind, type, ...others }: Readonly<Record<string, string>>): string =>
  [kind, type, ...Object.values(others)].filter((word) => word !== undefined).join(' ');
