import { among, instant, interaction, matching, whole, type Contract } from '@saleschannel/testing/contracts';
import { activity } from './every/activity.ts';

/** Event without its hash. */
const event = matching('{"scope":"c1","action":"identity.key.created"}', (value) =>
  typeof (JSON.parse(String(value)) as { action: unknown }).action === 'string' ? [] : ['no action'],
);
const HASH_BYTES = 32;
const hash = matching(Buffer.alloc(HASH_BYTES, 7), (value) =>
  Buffer.isBuffer(value) && value.length === HASH_BYTES ? [] : ['no SHA-256'],
);

const at = '2026-01-01T00:00:00.000Z';

/** Selection without results, newest first. */
const newestFirst = {
  afterSequence: '0',
  beforeSequence: '0',
  descending: true,
  limit: 100,
  action: 'rbac.role.granted',
  actorId: 'nobody',
};

/**
 * Requirements of the console on identity, beyond those of the admin command: activity, audit trail, sessions, users.
 */
export const contract: Contract = {
  consumer: 'admin',
  provider: 'identity',
  interactions: [
    activity('a user', 'outbox'),
    interaction('auditLog.ListAuditEvents', {
      given: 'an act on a sales channel, and one of the registry',
      values: { channel: 'c1' },
      request: ({ channel: scope }) => ({ scope, range: { afterSequence: '0', limit: 100 } }),
      answer: () => ({
        total: whole('1'),
        events: among({ sequence: whole('1'), occurredAt: instant(at), event, hash }),
      }),
    }),
    interaction('auditLog.ListAuditEvents', {
      given: 'an act on a sales channel, and one of the registry',
      values: { channel: 'c1' },
      request: ({ channel: scope }) => ({ scope, range: newestFirst }),
      answer: () => ({ total: '0', events: [], isFilteredAsRequested: true }),
    }),
    interaction('identityAdministration.ListUserSessions', {
      given: 'a user with a session in the portal',
      values: { user: 'u3', session: 's3' },
      request: ({ user: userId }) => ({ userId }),
      answer: ({ session }) => ({
        sessions: [
          {
            id: session,
            client: 'portal',
            begunOn: instant(at),
            lastUsedOn: instant(at),
            expiresAt: instant(at),
            address: undefined,
          },
        ],
      }),
    }),
    interaction('identityAdministration.ListUsers', {
      given: 'a user',
      values: { user: 'u1', issuer: 'https://id.example', subject: 'anna' },
      request: ({ subject: subjectPart }) => ({ limit: 100, subjectPart }),
      answer: ({ user: id, issuer, subject }) => ({
        users: [{ id, issuer, subject, accountHolderId: undefined, disabledAt: undefined, disabledReason: undefined }],
        searched: true,
      }),
    }),
    interaction('lookUp.LookUp', {
      given: 'a user',
      values: { user: 'u1' },
      request: ({ user: id }) => ({ id }),
      answer: () => ({ things: [{ kind: 'user' }] }),
    }),
  ],
};
