import { auditCursor, auditedServices, readAuditPage } from '@saleschannel/contracts';
import { dateTime, id } from '@saleschannel/validation';
import { z } from 'zod';
import type { AnswerOf } from '../contract/operations.ts';
import type { Context } from '../context.ts';
import { limit } from '../http/forms.ts';
import { operation, type Operations } from '../http/operation.ts';

type AuditEvent = AnswerOf<'listAuditEvents'>['items'][number];

/** The trail of any scope. */
export const audit = ({ audit: clients }: Context): Pick<Operations, 'listAuditEvents'> => ({
  listAuditEvents: operation('listAuditEvents')({
    query: z.strictObject({
      scope: id,
      service: z.enum(auditedServices).optional(),
      from: dateTime.optional(),
      to: dateTime.optional(),
      limit,
      after: auditCursor,
    }),
    async handle({ query: { scope, service, after: position, ...asked } }, { call }) {
      const services = service === undefined ? auditedServices : [service];
      const { events, total, next, isFull } = await readAuditPage(
        services,
        (name, range) => clients[name].ListAuditEvents({ scope, range }, call),
        { ...asked, position },
      );
      const items = events.map((event) => JSON.parse(event) as AuditEvent);
      return { items, next: isFull ? next : null, total: Number(total) };
    },
  }),
});
