import { among, interaction, matching, whole, instant, type Interaction } from '@saleschannel/testing/contracts';
import { readExample, checkBody, findOperation } from '../../support/public-contract.ts';

/** The gateway's requirements of each audit trail. One library implements them, and each service is tested. */

interface Page {
  readonly data: readonly Readonly<Record<string, unknown>>[];
}
const page = readExample('listAuditEvents') as Page;
const { hash, ...example } = page.data[0] ?? {};
const range = { afterSequence: '0', limit: 100 };
/** A page without matches, newest first. */
const newestFirst = {
  ...range,
  beforeSequence: '0',
  descending: true,
  action: 'rbac.role.granted',
  actorId: 'nobody',
};

/** Text of an event, to which the gateway adds the hash. */
const event = matching(JSON.stringify(example), (text) => {
  const data = [{ ...(JSON.parse(String(text)) as object), hash }];
  return checkBody(findOperation('listAuditEvents'), '200', 'application/json', { ...page, data }).map((fault) =>
    JSON.stringify(fault),
  );
});
const HASH_BYTES = 32;
const bytesOfHash = matching(Buffer.alloc(HASH_BYTES, 7), (value) =>
  Buffer.isBuffer(value) && value.length === HASH_BYTES ? [] : ['no SHA-256'],
);
const recorded = { sequence: whole('1'), occurredAt: instant('2025-03-04T10:02:11.318Z'), event, hash: bytesOfHash };

/** Actions that a service records. */
const states = {
  both: 'an act on a sales channel, and one of the registry',
  channels: 'an act on a sales channel',
  registry: 'an act of the registry',
} as const;

const found = (isThere: boolean) =>
  isThere ? { total: whole('1'), events: among(recorded) } : { total: '0', events: [] };

/** Requirements of a service's trail. @param scopes scopes in which the service records events */
export const trail = (scopes: keyof typeof states): readonly Interaction[] => [
  interaction('auditLog.ListChannelAuditEvents', {
    given: states[scopes],
    values: { channel: 'c1' },
    as: ({ channel }) => ({ salesChannelId: channel, roles: ['ROLE_ADMINISTRATOR'] }),
    request: () => ({ range }),
    answer: () => found(scopes !== 'registry'),
  }),
  interaction('auditLog.ListChannelAuditEvents', {
    given: states[scopes],
    values: { channel: 'c1' },
    as: ({ channel }) => ({ salesChannelId: channel, roles: ['ROLE_ADMINISTRATOR'] }),
    request: () => ({ range: newestFirst }),
    answer: () => ({ total: '0', events: [], isFilteredAsRequested: true }),
  }),
  interaction('auditLog.ListRegistryAuditEvents', {
    given: states[scopes],
    values: {},
    as: () => ({ kind: 'registry', accountHolderId: 'h1' }),
    request: () => ({ range }),
    answer: () => found(scopes !== 'channels'),
  }),
];

/** Requirements of services that store parts of principals: the gateway polls their audit heads. */
export const headRequirements: Interaction = interaction('auditLog.GetTrailEnds', {
  given: 'a sales channel on which something was changed',
  values: { channel: 'c1' },
  request: ({ channel }) => ({ scopes: matching([channel], (value) => (Array.isArray(value) ? [] : ['no scopes'])) }),
  answer: ({ channel }) => ({ ends: among({ scope: channel, sequence: whole('1') }), installation: whole('0') }),
});
