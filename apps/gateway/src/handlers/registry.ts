import { pick } from '@saleschannel/edge';
import type { ReplyOf } from '@saleschannel/grpc';
import { formatCertificateRef, countCertificates } from '@saleschannel/primitives';
import type { Clients } from '../clients.ts';
import { createJsonAnswer, createReplyAnswer } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import { openList, toPaginatedAnswer, toRegistryPage, requireExpanded, pickColumns, type CsvFile } from './lists.ts';
import { toExpand, toFormat, LIST_TIMEOUT_MS, toPage, withoutNulls } from './requests.ts';

export function toIssuance(issuance: ReplyOf<'ledger.GetIssuance'>) {
  const { issuanceId, firstSerial, lastSerial } = issuance;
  return {
    ...pick(issuance, 'issuanceId', 'productionFacilityCode', 'standard', 'registry', 'creditType', 'creditTypeId'),
    ...pick(issuance, 'methodologyCode', 'vintage', 'productionStartDate', 'productionEndDate', 'issuingDate'),
    expirationDate: issuance.expirationDate ?? null,
    ...pick(issuance, 'firstSerial', 'lastSerial', 'accountHolderId'),
    salesChannelId: issuance.salesChannelId ?? null,
    traderId: issuance.traderId ?? null,
    start: formatCertificateRef(issuanceId, firstSerial),
    end: formatCertificateRef(issuanceId, lastSerial),
    // The ledger limits issuances to volumes that a double holds exactly.
    volume: Number(countCertificates({ first: BigInt(firstSerial), last: BigInt(lastSerial) })),
  };
}

const issuanceFile: CsvFile<ReturnType<typeof toIssuance>> = {
  name: 'issuances',
  columns: pickColumns(
    'issuanceId',
    'productionFacilityCode',
    'standard',
    'registry',
    'creditType',
    'creditTypeId',
    'methodologyCode',
    'vintage',
    'productionStartDate',
    'productionEndDate',
    'issuingDate',
    'expirationDate',
    'firstSerial',
    'lastSerial',
    'accountHolderId',
    'salesChannelId',
    'traderId',
    'start',
    'end',
    'volume',
  ),
};

/** Issuances of the ledger. */
export const createIssuanceHandlers = ({ ledger }: Clients) =>
  ({
    listIssuances: async ({ query }, context) => {
      const { productionFacilityCode, vintage, accountHolderId } = query;
      const filter = withoutNulls({ productionFacilityCode, vintage, accountHolderId });
      const { issuances: found, ...size } = await ledger.ListIssuances(
        { ...toPage(query), ...filter },
        context.callOptions,
      );
      return toRegistryPage(context, size, query, found.map(toIssuance), issuanceFile);
    },
    getIssuance: async ({ path }, { callOptions }) =>
      createJsonAnswer(200, toIssuance(await ledger.GetIssuance(path, callOptions))),
  }) satisfies Partial<Handlers>;

export const toLocationHeader = (
  collection: 'account-holders' | 'imports' | 'production-facilities' | 'transactions',
  id: string,
): Record<string, string> => ({ Location: `/Registry/api/${collection}/${encodeURIComponent(id)}` });

const toFacility = (facility: ReplyOf<'ledger.GetFacility'>) => {
  const { id, supplierId, creditingPeriod } = facility;
  if (id === undefined || supplierId === undefined) throw new Error('inventory answered without the ids');
  return {
    productionFacilityId: id,
    code: facility.code,
    gsrn: facility.gsrn ?? null,
    ...pick(facility, 'name', 'country', 'methodologyCodes'),
    supplierId,
    supplier: facility.supplier,
    creditingPeriod: creditingPeriod && pick(creditingPeriod, 'start', 'end'),
  };
};

/** Imports read these columns. Codes may contain any separator, so their list is JSON. */
const facilityFile: CsvFile<ReturnType<typeof toFacility>> = {
  name: 'production-facilities',
  columns: {
    ...pickColumns('productionFacilityId', 'code', 'gsrn', 'name', 'country'),
    methodologyCodes: ({ methodologyCodes }) => JSON.stringify(methodologyCodes),
    ...pickColumns('supplierId', 'supplier', 'creditingPeriod.start', 'creditingPeriod.end'),
  },
};

export const createRegistryHandlers = ({ ledger, registryImport }: Clients) =>
  ({
    listFacilities: async ({ query }, context) => {
      const { facilities, ...size } = await ledger.ListFacilities(toPage(query), context.callOptions);
      return toRegistryPage(context, size, query, facilities.map(toFacility), facilityFile);
    },
    getFacility: async ({ path }, { callOptions }) =>
      createJsonAnswer(200, toFacility(await ledger.GetFacility(path, callOptions))),
    putFacility: async ({ path: { code }, body }, { callOptions }) => {
      const request = { facility: { code, ...withoutNulls(body) } };
      const { facility, created } = await registryImport.PutFacility(request, callOptions);
      if (!facility) throw new Error('registry-import answered without the facility');
      const headers = created ? toLocationHeader('production-facilities', facility.code) : {};
      return createJsonAnswer(created ? 201 : 200, toFacility(facility), headers);
    },
    listCertificates: async ({ query }, context) => {
      const { issuanceId, ownerId, salesChannelId, status } = query;
      const filter = withoutNulls({ issuanceId, ownerId, salesChannelId, status });
      const request = { ...toPage(query), ...filter, ...toFormat(context) };
      const { data, ...about } = await ledger.ListCertificates(request, context.callOptions);
      return toPaginatedAnswer('certificates', context, about, data, query);
    },
    getCertificateHistory: ({ path }, { callOptions }) =>
      createReplyAnswer(ledger.GetCertificateHistory(path, callOptions)),
    listRegistryTransactions: async ({ query }, context) => {
      const { status, type, accountHolderId, createdFrom, createdTo, expand } = query;
      const filter = withoutNulls({ status, type, accountHolderId });
      const createdAt = withoutNulls({ gte: createdFrom, lte: createdTo });
      const request = { ...toPage(query), ...filter, createdAt, ...toFormat(context), ...toExpand(expand) };
      const call = context.createStreamOptions(LIST_TIMEOUT_MS);
      const { first, data } = await openList(ledger.ListRegistryTransactions(request, call));
      requireExpanded(expand, first);
      return toPaginatedAnswer('transactions', context, first, data, query);
    },
    getRegistryTransaction: ({ path }, { callOptions }) =>
      createReplyAnswer(ledger.GetRegistryTransaction(path, callOptions)),
    approveTransaction: ({ path }, { callOptions }) => createReplyAnswer(ledger.ApproveTransaction(path, callOptions)),
    rejectTransaction: ({ path }, { callOptions }) => createReplyAnswer(ledger.RejectTransaction(path, callOptions)),
  }) satisfies Partial<Handlers>;
