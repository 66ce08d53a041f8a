/**
 * Every act that is recorded, as `<service>.<what>.<done>`. The part before the first dot names the service whose
 * database holds the record. Readers keep these names in their rules: one that was released is never given another
 * meaning.
 */
export const auditActions = [
  'identity.api-key.created',
  'identity.api-key.deleted',
  'identity.registry-key.created',
  'identity.registry-key.deleted',
  'identity.api-key.named',
  'identity.registry-key.named',
  'identity.user.introduced',
  'identity.user.account-holder-set',
  'identity.user.disabled',
  'identity.user.enabled',
  'rbac.sales-channel.created',
  'rbac.sales-channel.suspended',
  'rbac.sales-channel.resumed',
  'rbac.user.bound',
  'rbac.user.unbound',
  'rbac.role.granted',
  'rbac.role.removed',
  'rbac.invitation.created',
  'rbac.invitation.revoked',
  'rbac.invitation.accepted',
  'traders.trader.created',
  'traders.trader.updated',
  'traders.proposal.submitted',
  'traders.proposal.accepted',
  'traders.proposal.rejected',
  'inventory.facility.created',
  'inventory.facility.updated',
  'inventory.issuance.created',
  'inventory.transaction.created',
  'inventory.transaction.approved',
  'inventory.transaction.rejected',
  'inventory.certificates.onramped',
  'inventory.statement.updated',
  'registry-import.account-holder.created',
  'registry-import.account-holder.updated',
  'registry-import.account-holder.kind-set',
  'registry-import.account-holder.suspended',
  'registry-import.account-holder.resumed',
  'registry-import.import.received',
  'registry-import.import.ended',
] as const;

export type AuditAction = (typeof auditActions)[number];
