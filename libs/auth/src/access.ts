import { forbidden, salesChannelSuspended, type DomainError } from '@saleschannel/errors';
import type { Principal, Role } from './principal.ts';

/**
 * Callers that may use an operation. For `user`, any one of `roles` on the caller's own sales channel suffices, and an
 * empty list allows every signed-in user. With `self`, users need no role for their own data; the operation checks
 * ownership. `holder` requires membership of an account holder, `registry` of a registry that is not suspended.
 * Operations with `changes` are refused while the channel is suspended. `fresh` is the maximum age of a person's
 * sign-in, in seconds, which only the gateway checks.
 */
export type AccessRule =
  | {
      readonly principal: 'user';
      readonly roles: readonly Role[];
      readonly self?: true;
      readonly holder?: true;
      readonly registry?: true;
      readonly changes?: true;
      readonly fresh?: number;
    }
  | { readonly principal: 'registry' }
  /** Calls between services, without an end user. */
  | { readonly principal: 'none' };

const FRESH_SECONDS = 900;
const anyUser: AccessRule = { principal: 'user', roles: [] };
const holderUser: AccessRule = { principal: 'user', roles: [], holder: true };
const registry: AccessRule = { principal: 'registry' };
const anyOf = (...roles: Role[]): AccessRule => ({ principal: 'user', roles });
/** Rule of operations that move certificates or grant rights, so that a stolen session is useful only briefly. */
const fresh = <Rule extends AccessRule>(rule: Rule) => ({ ...rule, fresh: FRESH_SECONDS });
/** Rule of operations that change the sales channel or its certificates. */
const toChange = (...roles: Role[]): AccessRule => ({ principal: 'user', roles, changes: true });

/**
 * Access rules by public operation, enforced by the gateway and by the RPCs of services. The OpenAPI document repeats
 * them as `x-access`, and the authorization tests are generated from them. A role …_ADMINISTRATOR includes the …_VIEWER
 * of the same entity.
 */
export const accessRules = {
  listOwnApiKeys: anyUser,
  createApiKey: fresh(anyUser),
  deleteApiKey: fresh(anyUser),
  listRegistryKeys: holderUser,
  createRegistryKey: fresh({ principal: 'user', roles: [], holder: true, registry: true }),
  deleteRegistryKey: fresh(holderUser),
  getMe: anyUser,
  search: anyUser,
  listKeyDetails: anyUser,
  nameKey: anyUser,
  listOwnSessions: anyUser,
  endOwnSession: anyUser,
  endOwnSessions: anyUser,
  getOwnHolder: holderUser,
  updateOwnHolder: fresh(holderUser),
  listHoldings: holderUser,
  summarizeHoldings: holderUser,
  onrampHoldings: fresh(holderUser),
  listHolderTransactions: holderUser,
  getHolderTransaction: holderUser,
  approveHolderTransaction: fresh(holderUser),
  rejectHolderTransaction: fresh(holderUser),
  listHolderProposals: holderUser,
  submitHolderProposal: holderUser,
  listOpenSalesChannels: holderUser,
  getOwnBinding: anyUser,
  getUserBinding: { principal: 'user', roles: ['ROLE_ADMINISTRATOR'], self: true },
  listChannelUsers: anyOf('ROLE_ADMINISTRATOR'),
  ensureUser: toChange('ROLE_ADMINISTRATOR'),
  listInvitations: anyOf('ROLE_ADMINISTRATOR'),
  createInvitation: fresh(toChange('ROLE_ADMINISTRATOR')),
  // Rights can be withdrawn from a suspended channel too.
  revokeInvitation: fresh(anyOf('ROLE_ADMINISTRATOR')),
  // The invited user has no channel yet. The operation checks the inviting one.
  acceptInvitation: fresh(anyUser),
  bindUser: fresh(toChange('ROLE_ADMINISTRATOR')),
  unbindUser: fresh(anyOf('ROLE_ADMINISTRATOR')),
  grantRole: fresh(toChange('ROLE_ADMINISTRATOR')),
  removeRole: fresh(anyOf('ROLE_ADMINISTRATOR')),
  listAuditEvents: anyOf('ROLE_ADMINISTRATOR'),
  exportAuditEvents: anyOf('ROLE_ADMINISTRATOR'),
  listProposals: anyOf('TRADERONBOARDERPROPOSAL_VIEWER'),
  acceptProposal: fresh(toChange('TRADERONBOARDERPROPOSAL_ACCEPTER')),
  rejectProposal: fresh(toChange('TRADERONBOARDERPROPOSAL_ACCEPTER')),
  listTraders: anyOf('TRADER_VIEWER', 'TRADER_ADMINISTRATOR'),
  getTrader: anyOf('TRADER_VIEWER', 'TRADER_ADMINISTRATOR'),
  createTrader: toChange('TRADER_ADMINISTRATOR'),
  updateTrader: toChange('TRADER_ADMINISTRATOR'),
  listInventory: anyOf('ASSET_VIEWER'),
  summarizeInventory: anyOf('ASSET_VIEWER'),
  // The operation checks which of the two roles the planned transfer requires.
  planTransfer: anyOf('TRANSACTION_ADMINISTRATOR', 'ASSET_OFFRAMPER'),
  startOfframp: fresh(toChange('ASSET_OFFRAMPER')),
  getOfframpTask: anyOf('ASSET_OFFRAMPER'),
  startTrade: fresh(toChange('TRANSACTION_ADMINISTRATOR')),
  getTradeTask: anyOf('TRANSACTION_ADMINISTRATOR'),
  startRetirement: fresh(toChange('TRANSACTION_ADMINISTRATOR')),
  getRetirementTask: anyOf('TRANSACTION_ADMINISTRATOR'),
  listTasks: anyOf('TRANSACTION_ADMINISTRATOR', 'ASSET_OFFRAMPER'),
  listTransactions: anyOf('TRANSACTION_ADMINISTRATOR'),
  getTransaction: anyOf('TRANSACTION_ADMINISTRATOR'),
  getTransactionDetail: anyOf('TRANSACTION_ADMINISTRATOR'),
  summarizeTransactions: anyOf('TRANSACTION_ADMINISTRATOR'),
  updateStatement: fresh(toChange('TRANSACTION_ADMINISTRATOR')),
  listProductionFacilities: anyOf('PRODUCTIONFACILITY_VIEWER'),
  getProductionFacility: anyOf('PRODUCTIONFACILITY_VIEWER'),
  getSupplier: anyOf('SUPPLIER_VIEWER'),
  listEvents: anyOf('EVENT_VIEWER'),
  streamEvents: anyOf('EVENT_VIEWER'),
  listWebhookEndpoints: anyOf('EVENT_VIEWER'),
  createWebhookEndpoint: fresh(toChange('ROLE_ADMINISTRATOR')),
  getWebhookEndpoint: anyOf('EVENT_VIEWER'),
  updateWebhookEndpoint: fresh(toChange('ROLE_ADMINISTRATOR')),
  // Like other withdrawals, allowed on a suspended channel.
  deleteWebhookEndpoint: fresh(anyOf('ROLE_ADMINISTRATOR')),
  rotateWebhookSecret: fresh(toChange('ROLE_ADMINISTRATOR')),
  // EVENT_VIEWER is deprecated here: an earlier release allowed it to send messages.
  testWebhookEndpoint: toChange('ROLE_ADMINISTRATOR', 'EVENT_VIEWER'),
  listWebhookDeliveries: anyOf('EVENT_VIEWER'),
  getWebhookDelivery: anyOf('EVENT_VIEWER'),
  retryWebhookDelivery: toChange('ROLE_ADMINISTRATOR', 'EVENT_VIEWER'),
  replayWebhookEvents: toChange('ROLE_ADMINISTRATOR', 'EVENT_VIEWER'),
  // Sandbox only. The triggered operations check their usual rights.
  triggerSandboxEvent: toChange('TRANSACTION_ADMINISTRATOR'),
  resetSandbox: toChange('ROLE_ADMINISTRATOR'),
  listAccountHolders: registry,
  createAccountHolder: registry,
  getAccountHolder: registry,
  updateAccountHolder: registry,
  listFacilities: registry,
  getFacility: registry,
  putFacility: registry,
  createIssuance: registry,
  listIssuances: registry,
  getIssuance: registry,
  listCertificates: registry,
  getCertificateHistory: registry,
  listRegistryTransactions: registry,
  getRegistryTransaction: registry,
  onramp: registry,
  submitProposal: registry,
  listSubmittedProposals: registry,
  getSubmittedProposal: registry,
  approveTransaction: registry,
  rejectTransaction: registry,
  startImport: registry,
  listImports: registry,
  getImport: registry,
  listImportErrors: registry,
  listRegistryAuditEvents: registry,
  exportRegistryAuditEvents: registry,
} as const satisfies Record<string, AccessRule>;

export type OperationId = keyof typeof accessRules;

/** Rule of RPCs between services. */
export const serviceOnlyRule: AccessRule = { principal: 'none' };

/**
 * Returns whether the roles of the principal satisfy the rule.
 * @param subjectId user that the operation is about, for rules with `self`. Without it, the operation checks ownership
 */
export function isAllowed(rule: AccessRule, principal: Principal, subjectId?: string): boolean {
  if (rule.principal === 'none') return true;
  if (rule.principal !== principal.kind) return false;
  if (
    rule.principal === 'user' &&
    rule.holder &&
    (principal.kind !== 'user' || principal.accountHolderId === undefined)
  )
    return false;
  if (rule.principal === 'user' && rule.registry && (principal.kind !== 'user' || !principal.isRegistry)) return false;
  if (rule.principal === 'registry' || rule.roles.length === 0) return true;
  if (rule.self && (subjectId === undefined || (principal.kind === 'user' && principal.userId === subjectId)))
    return true;
  return (
    principal.kind === 'user' &&
    principal.salesChannelId !== undefined &&
    rule.roles.some((role) => principal.roles.includes(role))
  );
}

/**
 * Requires that the rule allows the principal. A missing role is reported before a suspension, so that callers without
 * rights learn nothing about the channel.
 * @param subjectId as for {@link isAllowed}
 * @param refusal creates the error for a missing right
 * @throws DomainError 'forbidden' or 'sales-channel-suspended'
 */
export function requireAccess(
  rule: AccessRule,
  principal: Principal,
  subjectId?: string,
  refusal: (rule: AccessRule) => DomainError = forbidden,
): void {
  if (!isAllowed(rule, principal, subjectId)) throw refusal(rule);
  const changes = rule.principal === 'user' && rule.changes === true;
  if (changes && principal.kind === 'user' && principal.isSuspended === true) throw salesChannelSuspended();
}
