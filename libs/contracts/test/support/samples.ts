import type { IntegrationEvent, IntegrationEventType } from '../../src/index.ts';

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

const transfer = {
  taskId: 'cm7q3d5xz000a9x2f1b4c8e7g',
  salesChannelId: 'cm7q0c4xk0000x9f2h5d8r1ab',
  sellerId: 'cm7q1a2bc0003x9f2t6y9u4op',
  autoApproval: true,
  assets: [
    {
      start: '5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d913_1',
      end: '5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d913_20',
      unitPrice: '148.5',
    },
    { start: 'NCR-2024-7_0001', end: 'NCR-2024-7_0001', unitPrice: '0' },
  ],
  traceparent,
};
const unpriced = [{ start: 'NCR-2024-7_0001', end: 'NCR-2024-7_0120', unitPrice: null }];

const retirement = {
  beneficiaryName: 'Nordlys Ferries AS',
  beneficiaryLocation: 'Bergen, Norway',
  beneficiaryType: 'END_CONSUMER',
  consumptionCountryCode: 'NO',
  usageType: 'GENERIC_COMPENSATION',
  consumptionPeriodStart: '2024-01-01T00:00:00.000Z',
  consumptionPeriodEnd: '2024-12-31T23:59:59.000Z',
  retirementPurpose: 'Residual emissions of 2024',
};

const change = {
  eventId: 'cm7q4e6ya000b9x2f2c5d9f8h',
  salesChannelId: 'cm7q0c4xk0000x9f2h5d8r1ab',
  transactionId: 'cm7q4e6ya000c9x2f3d6e0g9i',
  taskId: 'cm7q3d5xz000a9x2f1b4c8e7g',
  effectiveAt: '2025-03-04T10:02:11.318Z',
  traceparent: '',
};

const report = { taskId: 'cm7q3d5xz000a9x2f1b4c8e7g', traceparent };

/** Current messages: every type, with every value that its members can have. */
export const samples: { readonly [T in IntegrationEventType]: readonly IntegrationEvent<T>[] } = {
  'tasks.transfer.requested.v1': [
    { ...transfer, type: 'TRADE', buyerId: 'cm7q1b3cd0004x9f2u7z0v5pq', currency: 'EUR' },
    { ...transfer, type: 'TRADE', buyerId: 'cm7q1b3cd0004x9f2u7z0v5pq', currency: 'USD', autoApproval: false },
    { ...transfer, type: 'RETIREMENT', currency: 'EUR', retirement },
    { ...transfer, type: 'RETIREMENT', currency: null, retirement, assets: unpriced },
    { ...transfer, type: 'OFFRAMP', sellerAccountHolderId: 'cm7q0d5yl0001x9f2i6e9s2bc', assets: unpriced },
    {
      ...transfer,
      type: 'TRADE',
      buyerId: 'cm7q1b3cd0004x9f2u7z0v5pq',
      currency: 'EUR',
      idempotencyKey: 'order-4711',
      externalReference: 'PO 4711/2025',
      metadata: { project: 'Fjord', 'cost-centre': '' },
    },
  ],
  'tasks.transfer.withdrawn.v1': [
    { taskId: 'cm7q3d5xz000a9x2f1b4c8e7g', reason: 'The ledger did not answer in time.', traceparent },
  ],
  'inventory.transaction.status-changed.v1': [
    { ...change, status: 'SUCCESS', reason: null, sequence: '1' },
    { ...change, status: 'SUCCESS', reason: null, sequence: '9223372036854775807' },
    { ...change, status: 'SUCCESS', reason: null },
    { ...change, status: 'REJECTED', reason: 'The account holder rejected the transaction.' },
    { ...change, status: 'FAILED', reason: 'The certificates have expired.' },
  ],
  'inventory.transfer.reported.v1': [
    { ...report, outcome: 'RESERVED', transactionId: 'cm7q4e6ya000c9x2f3d6e0g9i', reason: null },
    { ...report, outcome: 'REFUSED', transactionId: null, reason: 'The certificates belong to somebody else.' },
    { ...report, outcome: 'SUCCESS', transactionId: 'cm7q4e6ya000c9x2f3d6e0g9i', reason: null },
    { ...report, outcome: 'REJECTED', transactionId: 'cm7q4e6ya000c9x2f3d6e0g9i', reason: 'No.' },
    { ...report, outcome: 'FAILED', transactionId: 'cm7q4e6ya000c9x2f3d6e0g9i', reason: 'No.' },
  ],
  'rbac.binding.changed.v1': [{ userId: 'cm7q0d1m20001x9f2k3v6w0zt' }],
  'identity.key.deleted.v1': [{ keyId: 'cm7q2a3vb0008x9f2r6u1k5ci' }],
  'tasks.wait.begun.v1': [
    { replicaId: '0b1f6d0e-5a57-4f0e-9c43-2b7d7c1f8a66', salesChannelId: 'cm7q0c4xk0000x9f2h5d8r1ab' },
  ],
  'tasks.wait.ended.v1': [{ taskId: 'cm7q3d5xz000a9x2f1b4c8e7g' }],
};
