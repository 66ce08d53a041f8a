import { auditLog } from '@saleschannel/audit';
import { access, serviceOnly } from '@saleschannel/auth';
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

export const registrations = (context: Context): Registration[] => [
  implement('inventory', context, {
    ListInventory: { callers: gateway, access: access.listInventory, handler: listInventory },
    ListTransactions: { callers: gateway, access: access.listTransactions, handler: listTransactions },
    PageInventory: { callers: gateway, access: access.listInventory, handler: pageInventory },
    PageTransactions: { callers: gateway, access: access.listTransactions, handler: pageTransactions },
    GetTransactionDetail: { callers: gateway, access: access.getTransactionDetail, handler: getTransactionDetail },
    GetTransaction: { callers: gateway, access: access.getTransaction, handler: getTransaction },
    GetProductionFacility: { callers: gateway, access: access.getProductionFacility, handler: getProductionFacility },
    ListProductionFacilities: {
      callers: gateway,
      access: access.listProductionFacilities,
      handler: listProductionFacilities,
    },
    PageProductionFacilities: {
      callers: gateway,
      access: access.listProductionFacilities,
      handler: pageProductionFacilities,
    },
    SummarizeInventory: { callers: gateway, access: access.summarizeInventory, handler: summarizeInventory },
    PlanTransfer: { callers: gateway, access: access.planTransfer, handler: planTransfer },
    SummarizeTransactions: {
      callers: gateway,
      access: access.summarizeTransactions,
      handler: summarizeTransactions,
    },
    UpdateStatement: { callers: gateway, access: access.updateStatement, handler: updateStatement },
    GetSupplier: { callers: gateway, access: access.getSupplier, handler: getSupplier },
  }),
  // Public, without a principal.
  implement('publicRegister', context, {
    GetStatement: { callers: gateway, access: serviceOnly, handler: getStatement },
    ListStatements: { callers: gateway, access: serviceOnly, handler: listStatements },
    GetCertificateStatus: { callers: gateway, access: serviceOnly, handler: getCertificateStatus },
    GetStatementKeys: { callers: gateway, access: serviceOnly, handler: getStatementKeys },
  }),
  implement('selectionCheck', context, {
    CheckSelections: { callers: ['tasks'], access: serviceOnly, handler: checkSelections },
  }),
  implement('channelUse', context, {
    CountChannelUse: { callers: ['admin', 'rbac'], access: serviceOnly, handler: countChannelUse },
  }),
  implement('reconciliation', context, {
    Reconcile: { callers: ['admin'], access: serviceOnly, handler: reconcile },
  }),
  // Any registry key may call these RPCs.
  implement('ledger', context, {
    // Imports run in the background without a principal. The import service checked it on submission.
    ApplyFacilities: { callers: registryImport, access: serviceOnly, handler: applyFacilities },
    ApplyIssuances: { callers: registryImport, access: serviceOnly, handler: applyIssuances },
    Onramp: { callers: registryImport, access: access.onramp, handler: onramp },
    ApproveTransaction: { callers: gateway, access: access.approveTransaction, handler: approveTransaction },
    RejectTransaction: { callers: gateway, access: access.rejectTransaction, handler: rejectTransaction },
    ListFacilities: { callers: gateway, access: access.listFacilities, handler: listFacilities },
    GetFacility: { callers: both, access: access.getFacility, handler: getFacility },
    ListIssuances: { callers: gateway, access: access.listIssuances, handler: listIssuances },
    GetIssuance: { callers: gateway, access: access.getIssuance, handler: getIssuance },
    ListCertificates: { callers: gateway, access: access.listCertificates, handler: listCertificates },
    ListRegistryTransactions: {
      callers: gateway,
      access: access.listRegistryTransactions,
      handler: listRegistryTransactions,
    },
    GetRegistryTransaction: {
      callers: gateway,
      access: access.getRegistryTransaction,
      handler: getRegistryTransaction,
    },
    GetCertificateHistory: { callers: gateway, access: access.getCertificateHistory, handler: getCertificateHistory },
  }),
  implement('holdings', context, {
    ListHoldings: { callers: gateway, access: access.listHoldings, handler: listHoldings },
    PageHoldings: { callers: gateway, access: access.listHoldings, handler: pageHoldings },
    SummarizeHoldings: { callers: gateway, access: access.summarizeHoldings, handler: summarizeHoldings },
    ListHolderTransactions: {
      callers: gateway,
      access: access.listHolderTransactions,
      handler: listHolderTransactions,
    },
    PageHolderTransactions: {
      callers: gateway,
      access: access.listHolderTransactions,
      handler: pageHolderTransactions,
    },
    GetHolderTransaction: { callers: gateway, access: access.getHolderTransaction, handler: getHolderTransaction },
    ApproveHolderTransaction: {
      callers: gateway,
      access: access.approveHolderTransaction,
      handler: approveHolderTransaction,
    },
    RejectHolderTransaction: {
      callers: gateway,
      access: access.rejectHolderTransaction,
      handler: rejectHolderTransaction,
    },
    OnrampHoldings: { callers: registryImport, access: access.onrampHoldings, handler: onrampHoldings },
  }),
  auditLog(context),
  implement('activity', context, {
    GetActivity: { callers: ['admin'], access: serviceOnly, handler: getActivity },
  }),
  implement('lookUp', context, {
    LookUp: { callers: ['admin'], access: serviceOnly, handler: lookUp },
  }),
];
