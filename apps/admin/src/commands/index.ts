import type { Command } from 'commander';
import type { Tools } from '../tools.ts';
import { addCreateAccountHolder, addSetAccountHolder } from './account-holders.ts';
import { addUnbind } from './bindings.ts';
import { addDeadLetters } from './dead-letters.ts';
import { addIssueApiKey, addIssueRegistryKey } from './issued-keys.ts';
import { addReconcile } from './reconcile.ts';
import { addAssignRoles } from './roles.ts';
import { addCreateSalesChannel, addListSalesChannels } from './sales-channels.ts';
import { addKeys } from './service-keys.ts';

/** In the order of the help. */
const commands = [
  addKeys,
  addCreateSalesChannel,
  addListSalesChannels,
  addAssignRoles,
  addCreateAccountHolder,
  addSetAccountHolder,
  addIssueApiKey,
  addIssueRegistryKey,
  addDeadLetters,
  addUnbind,
  addReconcile,
];

export function addCommands(program: Command, tools: Tools): void {
  for (const add of commands) add(program, tools);
}
