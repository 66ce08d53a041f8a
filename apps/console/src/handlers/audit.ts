import { auditCursor, auditedServices, auditOrder, readAuditPage, refineCursorOrder } from '@saleschannel/contracts';
import { dateTime, id, pattern } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { AnswerOf } from '../contract/operations.ts';
import { type Context, operation, type Operations } from '../http/operation.ts';
import { limit } from '../http/forms.ts';

type AuditEvent = AnswerOf<'listAuditEvents'>['items'][number];

/** `<service>.<object>.<verb>`. */
const AUDIT_ACTION = /^[a-z][a-z-]{0,39}\.[a-z][a-z-]{0,39}\.[a-z][a-z-]{0,39}$/;

export const audit = ({ audit: clients }: Context) =>
  ({
    listAuditEvents: operation('listAuditEvents')({
      query: z
        .strictObject({
          scope: id,
          service: z.enum(auditedServices).optional(),
          order: auditOrder.default('asc'),
          action: pattern(AUDIT_ACTION, 'must be the name of an action, such as `rbac.role.granted`').optional(),
          actor: id.optional(),
          from: dateTime.optional(),
          to: dateTime.optional(),
          limit,
          after: auditCursor,
        })
        .superRefine(refineCursorOrder),
      async handle({ query: { scope, service, ...selection } }, { call }) {
        const services = service === undefined ? auditedServices : [service];
        const { events, total, next, isFull } = await readAuditPage(
          services,
          (name, range) => clients[name].ListAuditEvents({ scope, range }, call),
          selection,
        );
        const items = events.map((event) => JSON.parse(event) as AuditEvent);
        return { items, next: isFull ? next : null, total: Number(total) };
      },
    }),
  }) satisfies Partial<Operations>;
