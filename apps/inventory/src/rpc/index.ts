import { auditLog } from '@saleschannel/audit';
import { access, serviceOnly } from '@saleschannel/auth';
import { implement, type Registration } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { applyFacilities } from './apply-facilities.ts';
import { applyIssuances } from './apply-issuances.ts';
import { approveHolderTransaction } from './approve-holder-transaction.ts';
import { approveTransaction } from './approve-transaction.ts';
import { checkSelections } from './check-selections.ts';
import { countChannelUse } from './count-channel-use.ts';
import { getActivity } from './get-activity.ts';
import { getCertificateHistory } from './get-certificate-history.ts';
import { getFacility } from './get-facility.ts';
import { getHolderTransaction } from './get-holder-transaction.ts';
import { getIssuance } from './get-issuance.ts';
import { getProductionFacility } from './get-production-facility.ts';
import { getRegistryTransaction } from './get-registry-transaction.ts';
import { getSupplier } from './get-supplier.ts';
import { getTransactionDetail } from './get-transaction-detail.ts';
import { getTransaction } from './get-transaction.ts';
import { listCertificates } from './list-certificates.ts';
import { listFacilities } from './list-facilities.ts';
import { listHolderTransactions } from './list-holder-transactions.ts';
import { listHoldings } from './list-holdings.ts';
import { listInventory } from './list-inventory.ts';
import { listIssuances } from './list-issuances.ts';
import { listProductionFacilities } from './list-production-facilities.ts';
import { listRegistryTransactions } from './list-registry-transactions.ts';
import { listTransactions } from './list-transactions.ts';
import { lookUp } from './look-up.ts';
import { onrampHoldings } from './onramp-holdings.ts';
import { onramp } from './onramp.ts';
import { reconcile } from './reconcile.ts';
import { pageHolderTransactions } from './page-holder-transactions.ts';
import { pageHoldings } from './page-holdings.ts';
import { pageInventory } from './page-inventory.ts';
import { pageProductionFacilities } from './page-production-facilities.ts';
import { pageTransactions } from './page-transactions.ts';
import { rejectHolderTransaction } from './reject-holder-transaction.ts';
import { rejectTransaction } from './reject-transaction.ts';
import { summarizeHoldings } from './summarize-holdings.ts';
import { summarizeInventory } from './summarize-inventory.ts';
import { summarizeTransactions } from './summarize-transactions.ts';
import { planTransfer } from './plan-transfer.ts';
import { updateStatement } from './update-statement.ts';
import { getStatement } from './get-statement.ts';
import { getStatementKeys } from './get-statement-keys.ts';
import { listStatements } from './list-statements.ts';
import { getCertificateStatus } from './get-certificate-status.ts';

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
  // For anybody, who need not sign in.
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
  // A registry key may do everything here, whoever's it is.
  implement('ledger', context, {
    // Imports run in the background, when no principal is left. The import service has checked that there was one.
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
