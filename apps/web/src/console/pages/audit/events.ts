import { unwrapData } from '../../../shared/api/client.ts';
import type { AuditOrder } from '../../../shared/audit/actions.ts';
import { shortenId } from '../../../shared/format/serials.ts';
import { toTimeRange } from '../../../shared/format/time.ts';
import { useCursorSource, type RowSource } from '../../../shared/ui/row-source.ts';
import { operations, PAGE_SIZE, type Schemas } from '../../api.ts';

export type AuditEvent = Schemas['AuditEvent'];
export type Service = Schemas['AuditedService'];

export const services: readonly Service[] = ['identity', 'rbac', 'traders', 'inventory', 'registry-import', 'webhooks'];

/** Scope of events that belong to no user, account holder or sales channel. */
export const INSTALLATION = 'installation';

export interface Filters {
  readonly scope: string;
  readonly service: Service | undefined;
  readonly order: AuditOrder;
  readonly action: string | undefined;
  readonly actor: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

export const useAuditEvents = (filters: Filters): RowSource<AuditEvent> =>
  useCursorSource<AuditEvent>({
    queryKey: ['audit-events', filters],
    fetchPage: ({ after, signal }) => {
      const { scope, service, order, action, actor } = filters;
      const query = {
        scope,
        order,
        limit: PAGE_SIZE,
        ...toTimeRange(filters),
        ...(action !== undefined && { action }),
        ...(actor !== undefined && { actor }),
        ...(service !== undefined && { service }),
        ...(after !== undefined && { after }),
      };
      return unwrapData(operations.GET('/audit-events', { signal, params: { query } }));
    },
  });

/** Trails outside sales channels. */
export const commonScopes = [INSTALLATION, 'registry', 'sessions'] as const;

type Who = AuditEvent['actor'];

/** Short form, such as `operator olga`. The details show everything. */
export const describeActor = ({ kind = '', id, keyId }: Who): string => {
  const which = id ?? keyId;
  return which === undefined || which === kind ? kind : `${kind} ${shortenId(which)}`;
};

/** Kind before id: `user cm7q…`. */
export const describeParts = ({ kind, type, ...others }: Readonly<Record<string, string>>): string =>
  [...new Set([kind, type, ...Object.values(others)])].filter((word) => word !== undefined).join(' ');
