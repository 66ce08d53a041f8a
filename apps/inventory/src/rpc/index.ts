import { auditLog } from '@saleschannel/audit';
import { accessRules, serviceOnlyRule } from '@saleschannel/auth';
import { implement, type Registration } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import {
  approveHolderTransaction,
  approveTransaction,
  rejectHolderTransaction,
  rejectTransaction,
} from './approvals.ts';
import { getCertificateHistory, getCertificateStatus, listCertificates } from './certificates.ts';
import {
  applyFacilities,
  getFacility,
  getProductionFacility,
  getSupplier,
  listFacilities,
  listProductionFacilities,
  pageProductionFacilities,
} from './facilities.ts';
import { listHoldings, pageHoldings, summarizeHoldings } from './holdings.ts';
import { listInventory, pageInventory, summarizeInventory } from './inventory.ts';
import { applyIssuances, getIssuance, listIssuances } from './issuances.ts';
import { onramp, onrampHoldings } from './onramps.ts';
import { countChannelUse, getActivity, lookUp, reconcile } from './operator.ts';
import { checkSelections, planTransfer } from './plans.ts';
import { getStatement, getStatementKeys, listStatements, updateStatement } from './statements.ts';
import {
  getHolderTransaction,
  getRegistryTransaction,
  getTransaction,
  getTransactionDetail,
  listHolderTransactions,
  listRegistryTransactions,
  listTransactions,
  pageHolderTransactions,
  pageTransactions,
  summarizeTransactions,
} from './transactions.ts';

const gateway = ['gateway'] as const;
const registryImport = ['registry-import'] as const;
const both = [...gateway, ...registryImport] as const;

export const createRegistrations = (context: Context): Registration[] => [
  implement('inventory', context, {
    ListInventory: { callers: gateway, access: accessRules.listInventory, handler: listInventory },
    ListTransactions: { callers: gateway, access: accessRules.listTransactions, handler: listTransactions },
    PageInventory: { callers: gateway, access: accessRules.listInventory, handler: pageInventory },
    PageTransactions: { callers: gateway, access: accessRules.listTransactions, handler: pageTransactions },
    GetTransactionDetail: { callers: gateway, access: accessRules.getTransactionDetail, handler: getTransactionDetail },
    GetTransaction: { callers: gateway, access: accessRules.getTransaction, handler: getTransaction },
    GetProductionFacility: {
      callers: gateway,
      access: accessRules.getProductionFacility,
      handler: getProductionFacility,
    },
    ListProductionFacilities: {
      callers: gateway,
      access: accessRules.listProductionFacilities,
      handler: listProductionFacilities,
    },
    PageProductionFacilities: {
      callers: gateway,
      access: accessRules.listProductionFacilities,
      handler: pageProductionFacilities,
    },
    SummarizeInventory: { callers: gateway, access: accessRules.summarizeInventory, handler: summarizeInventory },
    PlanTransfer: { callers: gateway, access: accessRules.planTransfer, handler: planTransfer },
    SummarizeTransactions: {
      callers: gateway,
      access: accessRules.summarizeTransactions,
      handler: summarizeTransactions,
    },
    UpdateStatement: { callers: gateway, access: accessRules.updateStatement, handler: updateStatement },
    GetSupplier: { callers: gateway, access: accessRules.getSupplier, handler: getSupplier },
  }),
  // Public, without a principal.
  implement('publicRegister', context, {
    GetStatement: { callers: gateway, access: serviceOnlyRule, handler: getStatement },
    ListStatements: { callers: gateway, access: serviceOnlyRule, handler: listStatements },
    GetCertificateStatus: { callers: gateway, access: serviceOnlyRule, handler: getCertificateStatus },
    GetStatementKeys: { callers: gateway, access: serviceOnlyRule, handler: getStatementKeys },
  }),
  implement('selectionCheck', context, {
    CheckSelections: { callers: ['tasks'], access: serviceOnlyRule, handler: checkSelections },
  }),
  implement('channelUse', context, {
    CountChannelUse: { callers: ['admin', 'rbac'], access: serviceOnlyRule, handler: countChannelUse },
  }),
  implement('reconciliation', context, {
    Reconcile: { callers: ['admin'], access: serviceOnlyRule, handler: reconcile },
  }),
  // Any registry key may call these RPCs.
  implement('ledger', context, {
    // Imports run in the background without a principal. The import service checked it on submission.
    ApplyFacilities: { callers: registryImport, access: serviceOnlyRule, handler: applyFacilities },
    ApplyIssuances: { callers: registryImport, access: serviceOnlyRule, handler: applyIssuances },
    Onramp: { callers: registryImport, access: accessRules.onramp, handler: onramp },
    ApproveTransaction: { callers: gateway, access: accessRules.approveTransaction, handler: approveTransaction },
    RejectTransaction: { callers: gateway, access: accessRules.rejectTransaction, handler: rejectTransaction },
    ListFacilities: { callers: gateway, access: accessRules.listFacilities, handler: listFacilities },
    GetFacility: { callers: both, access: accessRules.getFacility, handler: getFacility },
    ListIssuances: { callers: gateway, access: accessRules.listIssuances, handler: listIssuances },
    GetIssuance: { callers: gateway, access: accessRules.getIssuance, handler: getIssuance },
    ListCertificates: { callers: gateway, access: accessRules.listCertificates, handler: listCertificates },
    ListRegistryTransactions: {
      callers: gateway,
      access: accessRules.listRegistryTransactions,
      handler: listRegistryTransactions,
    },
    GetRegistryTransaction: {
      callers: gateway,
      access: accessRules.getRegistryTransaction,
      handler: getRegistryTransaction,
    },
    GetCertificateHistory: {
      callers: gateway,
      access: accessRules.getCertificateHistory,
      handler: getCertificateHistory,
    },
  }),
  implement('holdings', context, {
    ListHoldings: { callers: gateway, access: accessRules.listHoldings, handler: listHoldings },
    PageHoldings: { callers: gateway, access: accessRules.listHoldings, handler: pageHoldings },
    SummarizeHoldings: { callers: gateway, access: accessRules.summarizeHoldings, handler: summarizeHoldings },
    ListHolderTransactions: {
      callers: gateway,
      access: accessRules.listHolderTransactions,
      handler: listHolderTransactions,
    },
    PageHolderTransactions: {
      callers: gateway,
      access: accessRules.listHolderTransactions,
      handler: pageHolderTransactions,
    },
    GetHolderTransaction: { callers: gateway, access: accessRules.getHolderTransaction, handler: getHolderTransaction },
    ApproveHolderTransaction: {
      callers: gateway,
      access: accessRules.approveHolderTransaction,
      handler: approveHolderTransaction,
    },
    RejectHolderTransaction: {
      callers: gateway,
      access: accessRules.rejectHolderTransaction,
      handler: rejectHolderTransaction,
    },
    OnrampHoldings: { callers: registryImport, access: accessRules.onrampHoldings, handler: onrampHoldings },
  }),
  auditLog(context),
  implement('activity', context, {
    GetActivity: { callers: ['admin'], access: serviceOnlyRule, handler: getActivity },
  }),
  implement('lookUp', context, {
    LookUp: { callers: ['admin'], access: serviceOnlyRule, handler: lookUp },
  }),
];
