import { among, interaction, ruled, text, whole, type Interaction } from '@saleschannel/testing/contracts';

/** What is asked of several services alike. */

const HASH_BYTES = 32;
const recorded = {
  sequence: whole('1'),
  // To which the hash is added as one more member.
  event: ruled('{"scope":"c1"}', (value) => (/^\{.+\}$/.test(String(value)) ? [] : ['no event'])),
  hash: ruled(Buffer.alloc(HASH_BYTES, 7), (value) =>
    Buffer.isBuffer(value) && value.length === HASH_BYTES ? [] : ['no SHA-256'],
  ),
};

/** The chain of a sales channel. @param isThere whether the service records acts on sales channels in that state */
export const auditTrail = (given: string, isThere = true): Interaction =>
  interaction('auditLog.ListAuditEvents', {
    given,
    values: { channel: 'c1' },
    request: ({ channel }) => ({ scope: channel, range: { afterSequence: '0', limit: 1_000 } }),
    answer: () => ({ events: isThere ? among(recorded) : [] }),
  });

/** What bears an id. Its facts are shown as they are. @param value what the state calls the id */
export const lookUp = (given: string, value: string): Interaction =>
  interaction('lookUp.LookUp', {
    given,
    values: { [value]: 'x1' },
    request: ({ [value]: id = 'none' }) => ({ id }),
    answer: () => ({ things: among({ kind: text('thing') }) }),
  });
