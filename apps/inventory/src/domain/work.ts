import type { TransferRequested } from '@saleschannel/contracts';

/** Texts of this length count like a selection: a usual transfer has less beside its first one. */
const CHARACTERS_PER_UNIT = 1_024;

/**
 * The work of settling a transfer: the larger of its selections and of the size of its texts, such as metadata. What
 * selections have of texts is in their number.
 */
export function workOf(transfer: TransferRequested): number {
  let characters = 0;
  for (const [name, value] of Object.entries(transfer)) if (name !== 'assets') characters += lengthOf(value);
  return Math.max(transfer.assets.length, Math.ceil(characters / CHARACTERS_PER_UNIT));
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let characters = 0;
  for (const [name, member] of Object.entries(value)) characters += name.length + lengthOf(member);
  return characters;
}
