import { expect, test } from '@jest/globals';
import { succeeded } from '../../src/contract.ts';

/**
 * Which operations each journey carries out. Together they are all operations of the contract: see coverage.test.ts.
 */
export const carriedOut = {
  access: [
    'listOwnApiKeys',
    'createApiKey',
    'deleteApiKey',
    'listRegistryKeys',
    'createRegistryKey',
    'deleteRegistryKey',
    'getOwnBinding',
    'getUserBinding',
    'bindUser',
    'unbindUser',
    'grantRole',
    'removeRole',
  ],
  audit: ['listAuditEvents', 'exportAuditEvents', 'listRegistryAuditEvents', 'exportRegistryAuditEvents'],
  approvals: ['approveTransaction', 'rejectTransaction'],
  people: ['getMe', 'listChannelUsers'],
  registry: [
    'listAccountHolders',
    'createAccountHolder',
    'getAccountHolder',
    'updateAccountHolder',
    'listFacilities',
    'getFacility',
    'putFacility',
    'createIssuance',
    'listIssuances',
    'getIssuance',
    'listCertificates',
    'listRegistryTransactions',
    'startImport',
    'listImports',
    'getImport',
    'listImportErrors',
  ],
  service: ['getHealth', 'getReadiness', 'getContractYaml', 'getContractJson', 'getDocs'],
  traders: [
    'listProposals',
    'submitProposal',
    'listSubmittedProposals',
    'getSubmittedProposal',
    'acceptProposal',
    'rejectProposal',
    'listTraders',
    'createTrader',
    'getTrader',
    'updateTrader',
    'listProductionFacilities',
    'getProductionFacility',
    'getSupplier',
  ],
  transfers: [
    'listInventory',
    'onramp',
    'startTrade',
    'getTradeTask',
    'startRetirement',
    'getRetirementTask',
    'startOfframp',
    'getOfframpTask',
    'listTasks',
    'listTransactions',
    'getTransaction',
    'getTransactionDetail',
    'getRegistryTransaction',
    'getCertificateHistory',
    'listEvents',
    'streamEvents',
  ],
} as const satisfies Record<string, readonly string[]>;

/** The last test of a journey: every operation that it promises has succeeded in it. */
export const testCoverage = (journey: keyof typeof carriedOut): void =>
  test('every operation of this journey has succeeded', () => {
    expect(carriedOut[journey].filter((id) => !succeeded.has(id))).toEqual([]);
  });
