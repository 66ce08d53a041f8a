import { createAccountHolder, setAccountHolder } from './account-holders.ts';
import { assignRoles } from './assign-roles.ts';
import type { Command } from './command.ts';
import { listDeadLetters, replayDeadLetters } from './dead-letters.ts';
import { generateKeys, issueApiKey, issueRegistryKey } from './keys.ts';
import { createSalesChannel, listSalesChannels } from './sales-channels.ts';

/** In the order of the help. */
export const commands: readonly Command[] = [
  generateKeys,
  createSalesChannel,
  listSalesChannels,
  assignRoles,
  createAccountHolder,
  setAccountHolder,
  issueApiKey,
  issueRegistryKey,
  listDeadLetters,
  replayDeadLetters,
];
