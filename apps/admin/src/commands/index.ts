import type { Command } from 'commander';
import type { Tools } from '../tools.ts';
import { addCreateAccountHolder, addSetAccountHolder } from './account-holders.ts';
import { addAuditEvents } from './audit-events.ts';
import { addDeadLetters, addUnbind } from './broker.ts';
import { addIssueApiKey, addIssueRegistryKey, addKeys } from './keys.ts';
import { addReconcile } from './reconcile.ts';
import { addAssignRoles } from './roles.ts';
import { addCloseChannel, addCreateSalesChannel, addListSalesChannels, addRenameChannel } from './sales-channels.ts';
import { addLists, addLookUp } from './lists.ts';
import {
  addDisableUser,
  addEnableUser,
  addEndSessions,
  addRevokeKey,
  addRevokeUserKeys,
  addUnbindUser,
} from './revocation.ts';
import { addResumeChannel, addResumeHolder, addSetKind, addSuspendChannel, addSuspendHolder } from './suspension.ts';

/** In the order in which the help lists them. */
const commands = [
  addKeys,
  addCreateSalesChannel,
  addRenameChannel,
  addListSalesChannels,
  addAssignRoles,
  addCreateAccountHolder,
  addSetAccountHolder,
  addSetKind,
  addIssueApiKey,
  addIssueRegistryKey,
  addLists,
  addLookUp,
  addAuditEvents,
  addRevokeKey,
  addRevokeUserKeys,
  addEndSessions,
  addDisableUser,
  addEnableUser,
  addUnbindUser,
  addSuspendChannel,
  addResumeChannel,
  addCloseChannel,
  addSuspendHolder,
  addResumeHolder,
  addDeadLetters,
  addUnbind,
  addReconcile,
];

export function addCommands(program: Command, tools: Tools): void {
  for (const add of commands) add(program, tools);
}
