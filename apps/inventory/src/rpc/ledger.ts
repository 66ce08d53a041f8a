import { access, serviceOnly } from '@saleschannel/auth';
import { services } from '@saleschannel/contracts';
import { implement, type Registration } from '@saleschannel/grpc';
import { parseCertificateRef } from '@saleschannel/primitives';
import type { Context } from '../context.ts';
import { canBeIssuance } from '../domain/selection.ts';
import { applyFacilities } from '../operations/apply-facilities.ts';
import { applyIssuances } from '../operations/apply-issuances.ts';
import { decideTransaction } from '../operations/decide-transaction.ts';
import { onramp } from '../operations/onramp.ts';
import { findFacilityByCode, pageOfFacilities } from '../store/facilities.ts';
import { pageOfCertificates } from '../store/inventory.ts';
import { certificateHistory, findRegistryTransaction, pageOfTransactions } from '../store/transaction-views.ts';
import { found } from './sales-channel.ts';

const gateway = ['gateway'];
const registryImport = ['registry-import'];

/** The registry's side of the ledger: any registry key may do everything. */
export const ledgerRpcs = (context: Context): Registration => {
  const { database } = context;
  const registryTransaction = async (id: string): Promise<{ data: Buffer }> => ({
    data: found(await findRegistryTransaction(database.em(), id)),
  });
  return implement(services.ledger, {
    // Imports run in the background, when no principal is left: that one was there is for the import service to see to.
    ApplyFacilities: {
      callers: registryImport,
      access: serviceOnly,
      handler: async ({ facilities }) => ({ results: await applyFacilities(database, facilities) }),
    },
    ApplyIssuances: {
      callers: registryImport,
      access: serviceOnly,
      handler: async ({ issuances }) => ({ results: await applyIssuances(context, issuances) }),
    },
    Onramp: {
      callers: registryImport,
      access: access.onramp,
      handler: async (request) => registryTransaction(await onramp(context, request)),
    },
    DecideTransaction: {
      callers: gateway,
      access: access.approveTransaction,
      async handler({ transactionId, decision }) {
        await decideTransaction(context, transactionId, decision);
        return registryTransaction(transactionId);
      },
    },
    ListFacilities: {
      callers: gateway,
      access: access.listFacilities,
      handler: ({ limit, offset }) => pageOfFacilities(database.em(), limit, offset),
    },
    GetFacility: {
      callers: ['gateway', 'registry-import'],
      access: access.getFacility,
      handler: async ({ code }) => found(await findFacilityByCode(database.em(), code)),
    },
    ListCertificates: {
      callers: gateway,
      access: access.listCertificates,
      handler: ({ limit, offset }) => pageOfCertificates(database.em(), limit, offset),
    },
    ListRegistryTransactions: {
      callers: gateway,
      access: access.listRegistryTransactions,
      handler: ({ limit, offset }) => pageOfTransactions(database.em(), limit, offset),
    },
    GetRegistryTransaction: {
      callers: gateway,
      access: access.getRegistryTransaction,
      handler: ({ transactionId }) => registryTransaction(transactionId),
    },
    GetCertificateHistory: {
      callers: gateway,
      access: access.getCertificateHistory,
      handler: async ({ certificate }) => ({ data: found(await historyOf(context, certificate)) }),
    },
  });
};

/** Undefined for what is no certificate, however it is written. */
async function historyOf({ database }: Context, certificate: string): Promise<Buffer | undefined> {
  const reference = /_\d{1,38}$/.test(certificate) ? parseCertificateRef(certificate) : undefined;
  const issuanceId = reference?.issuanceId.toLowerCase() ?? '';
  if (!reference || !canBeIssuance(issuanceId)) return undefined;
  return certificateHistory(database.em(), issuanceId, reference.serial);
}
