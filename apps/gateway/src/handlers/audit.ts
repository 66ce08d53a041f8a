import {
  auditCursor,
  auditedServices,
  auditOrder,
  readAuditPage,
  refineCursorOrder,
  type AuditFilter,
  type AuditOrder,
} from '@saleschannel/contracts';
import type { CallOptions } from '@saleschannel/grpc';
import { parse, parameters } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { createNdjsonAnswer, createRenderedAnswer } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import type { RequestContext } from '../http/request-context.ts';
import { toCsvPage, pickColumns, type CsvFile } from './lists.ts';

const CHANNEL_PATH = '/user-services/audit-events';
const REGISTRY_PATH = '/Registry/api/audit-events';

type Trail = 'ListChannelAuditEvents' | 'ListRegistryAuditEvents';

/** Event as written by `renderAuditEvent`. Its numbers are doubles, as in its canonical form (RFC 8785). */
interface AuditLine {
  readonly scope: string;
  readonly sequence: number;
  readonly occurredAt: string;
  readonly previousHash: string;
  readonly action: string;
  readonly actor: Readonly<Record<string, string>>;
  readonly subject: Readonly<Record<string, string>>;
  readonly address: string | null;
  readonly requestId: string | null;
  readonly before: unknown;
  readonly after: unknown;
  readonly hash: string;
}

const jsonText = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

const auditFile: CsvFile<AuditLine> = {
  name: 'audit-events',
  columns: {
    ...pickColumns(
      'scope',
      'sequence',
      'occurredAt',
      'previousHash',
      'action',
      'actor.kind',
      'actor.id',
      'actor.keyId',
      'actor.salesChannelId',
      'actor.accountHolderId',
      'subject.type',
      'subject.id',
      'address',
      'requestId',
    ),
    before: ({ before }) => jsonText(before),
    after: ({ after }) => jsonText(after),
    ...pickColumns('hash'),
  },
};

const place = parameters({ after: 'after' });
const cursorSchema = z.object({ order: auditOrder, after: auditCursor }).superRefine(refineCursorOrder);

/** Parameters that the link to the next page repeats. */
const toLinkParameters = ({ order = 'asc', from, to, action, actor }: Omit<Query, 'limit' | 'after'>) => ({
  ...(order !== 'asc' && { order }),
  ...(from && { from }),
  ...(to && { to }),
  ...(action && { action }),
  ...(actor && { actor }),
});

type Query = AuditFilter & { readonly order?: AuditOrder; readonly limit: number; readonly after?: string };

export function createAuditHandlers({ audit: clients }: Pick<Clients, 'audit'>) {
  const read = async (trail: Trail, { order = 'asc', after, limit, ...filter }: Query, call: CallOptions) => {
    const cursor = parse(cursorSchema, { order, after }, 'The audit trail has no such page.', place).after;
    const request = { ...filter, order, limit, ...(cursor && { after: cursor }) };
    const page = await readAuditPage(
      auditedServices,
      (service, range) => clients[service][trail]({ range }, call),
      request,
    );
    const query = new URLSearchParams({
      limit: String(limit),
      after: page.next,
      ...toLinkParameters({ order, ...filter }),
    });
    return { ...page, query: query.toString() };
  };
  const list = async (trail: Trail, path: string, query: Query, { callOptions, isCsvPreferred }: RequestContext) => {
    const { total, next, events, isFull, ...page } = await read(trail, query, callOptions);
    const link = isFull ? nextPageLink(path, page.query) : {};
    if (isCsvPreferred)
      return toCsvPage(
        events.map((line) => JSON.parse(line) as AuditLine),
        auditFile,
        link,
      );
    const pagination = JSON.stringify({ total: Number(total), limit: query.limit, next });
    return createRenderedAnswer(200, Buffer.from(`{"pagination":${pagination},"data":[${events.join(',')}]}`), link);
  };
  // Links to the next page even if the export has ended, so that a collector can continue there later.
  const exportLines = async (trail: Trail, path: string, query: Query, call: CallOptions) => {
    const page = await read(trail, query, call);
    return createNdjsonAnswer(page.events, nextPageLink(path, page.query));
  };
  return {
    listAuditEvents: ({ query }, context) => list('ListChannelAuditEvents', CHANNEL_PATH, query, context),
    listRegistryAuditEvents: ({ query }, context) => list('ListRegistryAuditEvents', REGISTRY_PATH, query, context),
    exportAuditEvents: ({ query }, { callOptions }) =>
      exportLines('ListChannelAuditEvents', `${CHANNEL_PATH}/export`, query, callOptions),
    exportRegistryAuditEvents: ({ query }, { callOptions }) =>
      exportLines('ListRegistryAuditEvents', `${REGISTRY_PATH}/export`, query, callOptions),
  } satisfies Partial<Handlers>;
}

const nextPageLink = (path: string, query: string) => ({ Link: `<${path}?${query}>; rel="next"` });
