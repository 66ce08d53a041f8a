import { dataOf } from '../../../shared/api/client.ts';
import { rangeOfDays } from '../../../shared/format/days.ts';
import { useCursorSource } from '../../../shared/ui/cursor-source.ts';
import type { RowSource } from '../../../shared/ui/row-source.ts';
import { operations, type Schemas } from '../../api.ts';

export type AuditEvent = Schemas['AuditEvent'];
export type Service = Schemas['AuditedService'];

export const services: readonly Service[] = ['identity', 'rbac', 'traders', 'inventory', 'registry-import', 'webhooks'];

/** What concerns nobody in particular. */
export const INSTALLATION = 'installation';
const PAGE_SIZE = 100;

export interface Filters {
  readonly scope: string;
  readonly service: Service | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

export const useAuditEvents = (filters: Filters): RowSource<AuditEvent> =>
  useCursorSource<AuditEvent>({
    queryKey: ['audit-events', filters],
    fetchPage: ({ after, signal }) => {
      const { scope, service } = filters;
      const query = {
        scope,
        limit: PAGE_SIZE,
        ...rangeOfDays(filters),
        ...(service !== undefined && { service }),
        ...(after !== undefined && { after }),
      };
      return dataOf(operations.GET('/audit-events', { signal, params: { query } }));
    },
  });

/** `user cm7q…`: what somebody or something is, then which one. */
export const inWords = ({ kind, type, ...others }: Readonly<Record<string, string>>): string =>
  [kind, type, ...Object.values(others)].filter((word) => word !== undefined).join(' ');
