import type { OperationId } from './access.ts';

/** Services that accept principal tokens. */
export const principalReceivers = [
  'identity',
  'rbac',
  'traders',
  'inventory',
  'tasks',
  'events',
  'registry-import',
  'webhooks',
  'sandbox',
] as const;
export type Receiver = (typeof principalReceivers)[number];
export type Receivers = readonly [Receiver, ...Receiver[]];

const identity: Receivers = ['identity'];
const rbac: Receivers = ['rbac'];
const traders: Receivers = ['traders'];
const inventory: Receivers = ['inventory'];
const tasks: Receivers = ['tasks'];
const events: Receivers = ['events'];
const webhooks: Receivers = ['webhooks'];
const registryImport: Receivers = ['registry-import'];
/** Operations that registry-import passes on to another service, with the principal. */
const registryImportToInventory: Receivers = ['registry-import', 'inventory'];
const registryImportToTraders: Receivers = ['registry-import', 'traders'];

/** Services with an audit trail. The gateway merges the trails. */
const audited: Receivers = ['identity', 'rbac', 'traders', 'inventory', 'registry-import', 'webhooks'];

/**
 * Public operation → audience of its principal token: the service that runs it, and those that this service calls on
 * behalf of the principal. Other services reject the token.
 */
export const receiversByOperation = {
  listOwnApiKeys: identity,
  createApiKey: identity,
  deleteApiKey: identity,
  getMe: identity,
  search: ['traders', 'rbac', 'inventory', 'webhooks'],
  listKeyDetails: identity,
  nameKey: identity,
  listOwnSessions: identity,
  endOwnSession: identity,
  endOwnSessions: identity,
  listChannelUsers: rbac,
  ensureUser: identity,
  listInvitations: rbac,
  createInvitation: rbac,
  revokeInvitation: rbac,
  acceptInvitation: rbac,
  listRegistryKeys: identity,
  createRegistryKey: identity,
  deleteRegistryKey: identity,
  getOwnHolder: registryImport,
  updateOwnHolder: registryImport,
  listHoldings: inventory,
  summarizeHoldings: inventory,
  onrampHoldings: registryImportToInventory,
  listHolderTransactions: inventory,
  getHolderTransaction: inventory,
  approveHolderTransaction: inventory,
  rejectHolderTransaction: inventory,
  listHolderProposals: traders,
  submitHolderProposal: registryImportToTraders,
  listOpenSalesChannels: rbac,
  getOwnBinding: rbac,
  getUserBinding: rbac,
  bindUser: rbac,
  unbindUser: rbac,
  grantRole: rbac,
  removeRole: rbac,
  listAuditEvents: audited,
  exportAuditEvents: audited,
  listProposals: traders,
  acceptProposal: traders,
  rejectProposal: traders,
  listTraders: traders,
  getTrader: traders,
  createTrader: traders,
  updateTrader: traders,
  listInventory: inventory,
  summarizeInventory: inventory,
  planTransfer: inventory,
  startOfframp: tasks,
  getOfframpTask: tasks,
  startTrade: tasks,
  getTradeTask: tasks,
  startRetirement: tasks,
  getRetirementTask: tasks,
  listTasks: tasks,
  listTransactions: inventory,
  getTransaction: inventory,
  getTransactionDetail: inventory,
  summarizeTransactions: inventory,
  updateStatement: inventory,
  listProductionFacilities: inventory,
  getProductionFacility: inventory,
  getSupplier: inventory,
  listEvents: events,
  streamEvents: events,
  listWebhookEndpoints: webhooks,
  createWebhookEndpoint: webhooks,
  getWebhookEndpoint: webhooks,
  updateWebhookEndpoint: webhooks,
  deleteWebhookEndpoint: webhooks,
  rotateWebhookSecret: webhooks,
  testWebhookEndpoint: webhooks,
  listWebhookDeliveries: webhooks,
  getWebhookDelivery: webhooks,
  retryWebhookDelivery: webhooks,
  replayWebhookEvents: webhooks,
  // Starts transfers, accepts proposals and breaks webhook endpoints on behalf of the caller.
  triggerSandboxEvent: ['sandbox', 'traders', 'tasks', 'webhooks'],
  resetSandbox: ['sandbox', 'rbac', 'webhooks'],
  listAccountHolders: registryImport,
  createAccountHolder: registryImport,
  getAccountHolder: registryImport,
  updateAccountHolder: registryImport,
  listFacilities: inventory,
  getFacility: inventory,
  putFacility: registryImportToInventory,
  createIssuance: registryImportToInventory,
  listIssuances: inventory,
  getIssuance: inventory,
  listCertificates: inventory,
  getCertificateHistory: inventory,
  listRegistryTransactions: inventory,
  getRegistryTransaction: inventory,
  onramp: registryImportToInventory,
  submitProposal: registryImportToTraders,
  listSubmittedProposals: registryImportToTraders,
  getSubmittedProposal: registryImportToTraders,
  approveTransaction: inventory,
  rejectTransaction: inventory,
  startImport: registryImport,
  listImports: registryImport,
  getImport: registryImport,
  listImportErrors: registryImport,
  listRegistryAuditEvents: audited,
  exportRegistryAuditEvents: audited,
} as const satisfies Record<OperationId, Receivers>;
