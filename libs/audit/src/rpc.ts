import { accessRules, serviceOnlyRule } from '@saleschannel/auth';
import type { Database } from '@saleschannel/database';
import { implement, salesChannelOf, type Registration, type RequestOf, type ResponseOf } from '@saleschannel/grpc';
import { date, id, parameters, parse, text } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import { INSTALLATION_SCOPE, REGISTRY_SCOPE } from './actor.ts';
import { listHeads, listAuditEvents } from './list.ts';

/** Maximum number of events per page: fits into one gRPC message, with a margin. */
const MAX_EVENTS = 5_000;
const MAX_ACTION_LENGTH = 100;

const rangeSchema = z.object({
  afterSequence: z.string().regex(/^\d{1,18}$/),
  limit: z.int().min(1).max(MAX_EVENTS),
  from: date.optional(),
  to: date.optional(),
  beforeSequence: z.string().regex(/^\d{1,18}$/),
  descending: z.boolean(),
  action: text({ min: 1, max: MAX_ACTION_LENGTH }).optional(),
  actorId: id.optional(),
});
const MAX_SCOPES = 1_000;
const endsSchema = z.object({ scopes: z.array(z.string()).max(MAX_SCOPES) });
const location = parameters({
  afterSequence: 'after',
  limit: 'limit',
  from: 'from',
  to: 'to',
  action: 'action',
  actorId: 'actor',
});

type AuditRange = RequestOf<'auditLog.ListChannelAuditEvents'>['range'];
type ListResponse = ResponseOf<'auditLog.ListChannelAuditEvents'>;

interface AuditContext {
  readonly database: Database;
}

async function list({ database }: AuditContext, scope: string, range: AuditRange): Promise<ListResponse> {
  const { from, to, ...page } = parse(rangeSchema, range ?? {}, 'There is no such part of the audit trail.', location);
  const filter = { ...page, from: from?.toISOString(), to: to?.toISOString() };
  return { ...(await listAuditEvents(database.em(), scope, filter)), isFilteredAsRequested: true };
}

type Ends = ResponseOf<'auditLog.GetTrailEnds'>;

async function listEnds({ database }: AuditContext, request: RequestOf<'auditLog.GetTrailEnds'>): Promise<Ends> {
  const { scopes } = parse(endsSchema, request, 'The scopes are not valid.');
  const found = await listHeads(database.em(), [...scopes, INSTALLATION_SCOPE]);
  const ends = found.filter(({ scope }) => scope !== INSTALLATION_SCOPE);
  return { ends, installation: found.find(({ scope }) => scope === INSTALLATION_SCOPE)?.sequence ?? '0' };
}

/** Implements the RPCs that serve the audit trail of a service. */
export const auditLog = (context: AuditContext): Registration =>
  implement('auditLog', context, {
    ListChannelAuditEvents: {
      callers: ['gateway'],
      access: accessRules.listAuditEvents,
      handler:
        (context) =>
        ({ range }, call) =>
          list(context, salesChannelOf(call), range),
    },
    ListRegistryAuditEvents: {
      callers: ['gateway'],
      access: accessRules.listRegistryAuditEvents,
      handler:
        (context) =>
        ({ range }) =>
          list(context, REGISTRY_SCOPE, range),
    },
    GetTrailEnds: {
      callers: ['gateway'],
      access: serviceOnlyRule,
      handler: (context) => (request) => listEnds(context, request),
    },
    ListAuditEvents: {
      callers: ['admin'],
      access: serviceOnlyRule,
      handler:
        (context) =>
        ({ scope, range }) =>
          list(context, scope, range),
    },
  });
