/** Messages of the fake services. */
export const at = '2025-03-04T10:02:11.318Z';

export const asset = {
  volume: 500,
  productionFacilityId: 'f1',
  supplierId: 's1',
  methodologyCode: 'BIOCHAR-3',
  issuingDate: at,
  expirationDate: null,
  creditTypeId: 'NCR_200_PLUS',
  standard: 'NCR',
  countryCode: 'NO',
  productionStartDate: at,
  productionEndDate: at,
  vintage: 2024,
  issuanceId: 'i1',
  certificates: 'NCR_NRR_NCR200+_NO_K7M2QX_2024_i1_1-500',
  start: 'i1_1',
  end: 'i1_500',
};

export const transaction = {
  id: 't1',
  type: 'TRADE',
  sellerId: 'a',
  buyerId: 'b',
  status: 'SUCCESS',
  createdAt: at,
  completedAt: at,
  assets: [{ start: 'i1_1', end: 'i1_2', unitPrice: 0.1, volume: 2 }],
  currency: 'EUR',
};

export const registryTransaction = {
  transactionId: 't/1',
  type: 'ONRAMP',
  status: 'SUCCESS',
  salesChannelId: 'c1',
  sellerId: 'h1',
  buyerId: 'b',
  createdAt: at,
  completedAt: at,
  assets: [{ start: 'i1_1', end: 'i1_2', unitPrice: null, volume: 2 }],
  currency: null,
  retirement: null,
};

export const holderTransaction = {
  ...registryTransaction,
  sellerName: 'Havkalk',
  buyerName: 'Kestrel',
  salesChannelName: 'Nordic',
};

export const holding = {
  issuanceId: 'i1',
  vintage: 2024,
  productionFacilityId: 'f1',
  productionFacilityCode: 'K7M2QX',
  productionFacilityName: 'Plant',
  methodologyCode: 'BIOCHAR-3',
  countryCode: 'NO',
  issuingDate: at,
  expirationDate: null,
  volume: 500,
  certificates: 'NCR_NRR_NCR200+_NO_K7M2QX_2024_i1_1-500',
  start: 'i1_1',
  end: 'i1_500',
  state: 'UNLISTED',
  salesChannelId: null,
  traderId: null,
};

export const certificates = {
  certificateId: 'x',
  issuanceId: 'i1',
  start: 'i1_1',
  end: 'i1_2',
  volume: 2,
  ownerType: 'TRADER',
  ownerId: 'a',
  salesChannelId: 'c1',
  status: 'LISTABLE',
  expirationDate: null,
};

export const historyEntry = {
  transactionId: 't1',
  type: 'ISSUANCE',
  at,
  from: null,
  bundle: { start: 'i1_1', end: 'i1_2' },
  fromOwner: null,
  toOwner: 'h1',
  status: 'SUCCESS',
};

export const key = { id: 'k1', createdOn: at, expiresAt: '2026-03-04T10:02:11.318Z' };
export const trader = { id: 'a/b', businessId: 'NO-1', name: 'Fjordkarbon', address: { city: 'Oslo' } };
export const proposal = {
  id: 'p1',
  name: 'Havkalk',
  businessId: 'NO-2',
  status: 'PENDING',
  accountHolderId: 'h1',
  salesChannelId: 'c1',
};
export const facility = { id: 'f1', code: 'K7M2QX', name: 'Plant', countryCode: 'NO', methodologyCodes: ['BIOCHAR-3'] };
export const listedTask = {
  task: { id: 'k1', status: 'SUCCESS', idempotencyKey: 'k', message: 'done', transactionId: 't1' },
  type: 'TRADE',
  traderId: 'a',
  createdAt: at,
  externalReference: '=PO-1',
};
export const event = {
  id: 'e1',
  eventType: 'TRANSACTION_STATUS_CHANGE',
  createdAt: at,
  eventAt: at,
  transactionId: 't1',
  status: 'SUCCESS',
};
const auditText = JSON.stringify({
  scope: 'c1',
  sequence: 1,
  occurredAt: at,
  previousHash: '0'.repeat(64),
  action: 'rbac.role.granted',
  actor: { kind: 'user', id: 'u1' },
  subject: { type: 'user', id: 'u2' },
  address: null,
  requestId: null,
  before: null,
  after: { role: 'TRADER_VIEWER' },
});
export const auditEvent = { sequence: 1, occurredAt: at, event: auditText, hash: Buffer.alloc(32, 7) };
export const accountHolder = {
  accountHolderId: 'h1',
  name: 'Havkalk',
  businessId: 'NO-2',
  address: { postalCode: '1', city: 'b', country: 'c', street1: 'd' },
  autoApproval: true,
  registeredOn: at,
  kind: 'HOLDER',
  status: 'ACTIVE',
};
export const registryFacility = {
  code: 'K7M2QX',
  name: 'Plant',
  country: 'NO',
  methodologyCodes: ['BIOCHAR-3'],
  supplier: 'Karbon',
  id: 'f1',
  supplierId: 's1',
};
export const issuance = {
  issuanceId: '5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d913',
  productionFacilityCode: 'K7M2QX',
  standard: 'NCR',
  registry: 'NRR',
  creditType: 'NCR200+',
  creditTypeId: 'NCR_200_PLUS',
  methodologyCode: 'BIOCHAR-3',
  vintage: 2024,
  productionStartDate: at,
  productionEndDate: at,
  issuingDate: at,
  firstSerial: '001',
  lastSerial: '120',
  accountHolderId: 'h1',
};
export const importState = {
  importId: 'm1',
  status: 'COMPLETED',
  linesRead: 3,
  linesApplied: 2,
  linesFailed: 1,
  createdAt: at,
};
export const channelUser = {
  userId: 'u1',
  issuer: 'https://id.example',
  subject: 'anna',
  email: 'anna@id.example',
  name: 'Anna Berg',
  roles: ['EVENT_VIEWER'],
};
export const me = {
  ...channelUser,
  salesChannel: { id: 'c1', name: 'Nordic', status: 'SUSPENDED', suspendedReason: 'by order' },
  accountHolder: { ...accountHolder, suspendedReason: 'by order' },
};
export const keyDetail = { ...key, kind: 'API', name: 'Reporting job', lastUsedOn: at, madeWithKeyId: 'key0' };
export const session = {
  id: 's1',
  client: 'portal',
  begunOn: at,
  lastUsedOn: at,
  expiresAt: at,
  address: '192.0.2.17',
  signedInAt: at,
  isCurrent: true,
};
export const invitation = {
  id: 'i1',
  email: 'anna@id.example',
  roles: ['EVENT_VIEWER'],
  createdOn: at,
  expiresAt: at,
  createdBy: 'u1',
  status: 'PENDING',
};
export const binding = { userId: 'u1', salesChannelId: 'c1', roles: ['ASSET_VIEWER'] };

/** With all optional members. */
export const webhookEndpoint = {
  id: 'w1',
  url: 'https://hooks.example/in',
  description: 'Order system',
  eventTypes: ['TRANSACTION_STATUS_CHANGE'],
  ordered: true,
  status: 'DISABLED',
  disabledReason: 'FAILING',
  createdAt: at,
  createdBy: 'u1',
  secrets: [{ createdAt: at }, { createdAt: at, expiresAt: at }],
  position: { eventId: 'e1', createdAt: at },
  pendingDeliveries: 2,
  lastSuccessAt: at,
  lastFailureAt: at,
  failingSince: at,
  replay: { from: at, to: at, failedOnly: false, position: at },
};
const webhookAttempt = {
  number: 1,
  startedAt: at,
  durationMs: 12,
  statusCode: 503,
  error: 'answered 503',
  answer: 'no',
};
export const webhookDelivery = {
  id: 'd1',
  endpointId: 'w1',
  messageId: 'e1',
  type: 'TRANSACTION_STATUS_CHANGE',
  event,
  status: 'PENDING',
  attemptCount: 1,
  createdAt: at,
  nextAttemptAt: at,
  lastAttempt: webhookAttempt,
};
export const webhookDeliveryDetail = {
  delivery: webhookDelivery,
  url: webhookEndpoint.url,
  body: '{}',
  attempts: [webhookAttempt],
};
/** Without optional members. */
export const webhookTest = {
  id: 'd2',
  endpointId: 'w1',
  messageId: 'm2',
  type: 'TEST',
  status: 'PENDING',
  attemptCount: 0,
  createdAt: at,
};
