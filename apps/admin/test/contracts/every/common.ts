import { among, interaction, matching, text, whole, type Interaction } from '@saleschannel/testing/contracts';

/** Interactions with several services. */

const HASH_BYTES = 32;
const recorded = {
  sequence: whole('1'),
  // An object, to which the command adds the hash as a member.
  event: matching('{"scope":"c1"}', (value) => (/^\{.+\}$/.test(String(value)) ? [] : ['no event'])),
  hash: matching(Buffer.alloc(HASH_BYTES, 7), (value) =>
    Buffer.isBuffer(value) && value.length === HASH_BYTES ? [] : ['no SHA-256'],
  ),
};

/** Reads the chain of a sales channel. @param hasEvents whether the service records events of channels in that state */
export const auditTrail = (given: string, hasEvents = true): Interaction =>
  interaction('auditLog.ListAuditEvents', {
    given,
    values: { channel: 'c1' },
    request: ({ channel }) => ({ scope: channel, range: { afterSequence: '0', limit: 1_000 } }),
    answer: () => ({ events: hasEvents ? among(recorded) : [] }),
  });

/** Looks up an id. The command shows the facts unchanged. @param value name of the id in the state */
export const lookUp = (given: string, value: string): Interaction =>
  interaction('lookUp.LookUp', {
    given,
    values: { [value]: 'x1' },
    request: ({ [value]: id = 'none' }) => ({ id }),
    answer: () => ({ things: among({ kind: text('thing') }) }),
  });
