import type { AuditAction } from '@saleschannel/audit/actions';
import { translate } from '../i18n/messages.ts';

/** Descriptions of actions. */
const words = translate({
  'identity.api-key.created': 'API key created',
  'identity.api-key.deleted': 'API key deleted',
  'identity.api-key.named': 'API key renamed',
  'identity.registry-key.created': 'Registry key created',
  'identity.registry-key.deleted': 'Registry key deleted',
  'identity.registry-key.named': 'Registry key renamed',
  'identity.user.introduced': 'User added',
  'identity.user.account-holder-set': 'User account holder changed',
  'identity.user.disabled': 'User disabled',
  'identity.user.enabled': 'User enabled',
  'identity.session.begun': 'Session started',
  'identity.session.ended': 'Session ended',
  'rbac.sales-channel.created': 'Sales channel created',
  'rbac.sales-channel.renamed': 'Sales channel renamed',
  'rbac.sales-channel.suspended': 'Sales channel suspended',
  'rbac.sales-channel.resumed': 'Sales channel resumed',
  'rbac.sales-channel.replaced': 'Sales channel replaced',
  'rbac.sales-channel.closed': 'Sales channel closed',
  'rbac.user.bound': 'User joined a sales channel',
  'rbac.user.unbound': 'User removed from a sales channel',
  'rbac.role.granted': 'Role granted',
  'rbac.role.removed': 'Role removed',
  'rbac.invitation.created': 'Invitation created',
  'rbac.invitation.revoked': 'Invitation revoked',
  'rbac.invitation.accepted': 'Invitation accepted',
  'traders.trader.created': 'Trader created',
  'traders.trader.updated': 'Trader changed',
  'traders.proposal.submitted': 'Trader proposal submitted',
  'traders.proposal.accepted': 'Trader proposal accepted',
  'traders.proposal.rejected': 'Trader proposal rejected',
  'inventory.facility.created': 'Facility created',
  'inventory.facility.updated': 'Facility changed',
  'inventory.issuance.created': 'Issuance created',
  'inventory.transaction.created': 'Transaction created',
  'inventory.transaction.approved': 'Transaction approved',
  'inventory.transaction.rejected': 'Transaction rejected',
  'inventory.certificates.onramped': 'Certificates onramped',
  'inventory.statement.updated': 'Statement changed',
  'registry-import.account-holder.created': 'Account holder created',
  'registry-import.account-holder.updated': 'Account holder changed',
  'registry-import.account-holder.kind-set': 'Account holder kind changed',
  'registry-import.account-holder.suspended': 'Account holder suspended',
  'registry-import.account-holder.resumed': 'Account holder resumed',
  'registry-import.import.received': 'Import received',
  'registry-import.import.ended': 'Import ended',
  'webhooks.endpoint.created': 'Webhook endpoint created',
  'webhooks.endpoint.updated': 'Webhook endpoint changed',
  'webhooks.endpoint.deleted': 'Webhook endpoint deleted',
  'webhooks.endpoint.broken': 'Webhook endpoint broken',
  'webhooks.secret.rotated': 'Webhook secret rotated',
  'webhooks.events.replayed': 'Webhook events replayed',
} satisfies Record<AuditAction, string>);

const wordsByAction = new Map<string, string>(Object.entries(words));

/** Description of an action. Actions newer than this page keep their name. */
export const describeAction = (action: string): string => wordsByAction.get(action) ?? action;

/** Actions sorted by description, so that actions on the same object are adjacent. */
export const actionChoices: readonly (readonly [action: string, words: string])[] = [...wordsByAction].toSorted(
  ([, one], [, other]) => one.localeCompare(other, 'en'),
);

/** Order from the address: newest first by default. */
export type AuditOrder = 'asc' | 'desc';
export const parseOrder = (text: string | undefined): AuditOrder => (text === 'asc' ? 'asc' : 'desc');
