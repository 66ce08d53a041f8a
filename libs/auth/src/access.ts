import { forbidden, salesChannelSuspended, type DomainError } from '@saleschannel/errors';
import type { Principal, Role } from './principal.ts';

/**
 * Who may call an operation. For `user`, any one of `roles` on the caller's own sales channel suffices. An empty list
 * means every signed-in user. With `self`, users need no role for what is their own, which the operation checks. With
 * `holder`, the user must belong to an account holder. With `registry`, that account holder must be a registry, and not
 * suspended. What `changes` the sales channel is refused while the channel is suspended. `fresh` is the greatest age of
 * a person's sign-in, in seconds. The gateway judges it when a request arrives, and no service behind it does.
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
  /** Between services: no end user is involved. */
  | { readonly principal: 'none' };

const FRESH_SECONDS = 900;
const anyUser: AccessRule = { principal: 'user', roles: [] };
const holderUser: AccessRule = { principal: 'user', roles: [], holder: true };
const registry: AccessRule = { principal: 'registry' };
const anyOf = (...roles: Role[]): AccessRule => ({ principal: 'user', roles });
/** For what moves certificates or gives power: a stolen session must not suffice for long. */
const fresh = <Rule extends AccessRule>(rule: Rule) => ({ ...rule, fresh: FRESH_SECONDS });
/** For what changes the sales channel, or moves something on it. */
const toChange = (...roles: Role[]): AccessRule => ({ principal: 'user', roles, changes: true });

/**
 * The one table of authorization: public operation → rule. Services use it for their RPCs and the gateway for the order
 * of its checks. The OpenAPI document repeats it as `x-access`, and the authorization tests are generated from it. A
 * role …_ADMINISTRATOR includes the …_VIEWER of the same entity.
 */
export const access = {
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
  // Taking rights away is possible at any time.
  revokeInvitation: fresh(anyOf('ROLE_ADMINISTRATOR')),
  // Whoever is invited has no channel yet. The one that invites is asked for when they accept.
  acceptInvitation: fresh(anyUser),
  bindUser: fresh(toChange('ROLE_ADMINISTRATOR')),
  // Taking rights away is possible at any time.
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
  // Which of the two it takes depends on what is planned, and the operation checks that.
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
  // Taking away what somebody else may read or sign is possible at any time.
  deleteWebhookEndpoint: fresh(anyOf('ROLE_ADMINISTRATOR')),
  rotateWebhookSecret: fresh(toChange('ROLE_ADMINISTRATOR')),
  // These send messages. EVENT_VIEWER suffices because a release promised it, and is deprecated here.
  testWebhookEndpoint: toChange('ROLE_ADMINISTRATOR', 'EVENT_VIEWER'),
  listWebhookDeliveries: anyOf('EVENT_VIEWER'),
  getWebhookDelivery: anyOf('EVENT_VIEWER'),
  retryWebhookDelivery: toChange('ROLE_ADMINISTRATOR', 'EVENT_VIEWER'),
  replayWebhookEvents: toChange('ROLE_ADMINISTRATOR', 'EVENT_VIEWER'),
  // Only in a sandbox. What is triggered takes the rights that it takes anywhere.
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

export type OperationId = keyof typeof access;

/** Between services only. */
export const serviceOnly: AccessRule = { principal: 'none' };

/**
 * Whether the rule lets the principal in, as far as roles tell.
 * @param subjectId the user whom the operation is about, where a rule says `self`. Without it the operation checks that
 * itself
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
 * Lets a principal in, or says why not. A missing role is told before a suspension: whoever may not change anything
 * learns nothing of it.
 * @param subjectId as for {@link isAllowed}
 * @param refusal what is said for want of a right
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
