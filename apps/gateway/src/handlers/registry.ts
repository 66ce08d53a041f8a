import type { ReplyOf } from '@saleschannel/grpc';
import type { Clients } from '../clients.ts';
import { createJsonAnswer, createRenderedAnswer } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import {
  openList,
  toPaginatedAnswer,
  streamPaginatedAnswer,
  toRegistryPage,
  requireExpanded,
  type CsvFile,
} from './lists.ts';
import { toExpand, toFormat, LIST_TIMEOUT_MS, toPage, withoutNulls } from './requests.ts';
import { formatCertificateRef, rangeVolume } from '@saleschannel/primitives';

export function toIssuance(issuance: ReplyOf<'ledger.GetIssuance'>) {
  const { issuanceId, productionFacilityCode, standard, registry, creditType, creditTypeId, methodologyCode, vintage } =
    issuance;
  const { productionStartDate, productionEndDate, issuingDate, firstSerial, lastSerial, accountHolderId } = issuance;
  return {
    issuanceId,
    productionFacilityCode,
    standard,
    registry,
    creditType,
    creditTypeId,
    methodologyCode,
    vintage,
    productionStartDate,
    productionEndDate,
    issuingDate,
    expirationDate: issuance.expirationDate ?? null,
    firstSerial,
    lastSerial,
    accountHolderId,
    salesChannelId: issuance.salesChannelId ?? null,
    traderId: issuance.traderId ?? null,
    start: formatCertificateRef(issuanceId, firstSerial),
    end: formatCertificateRef(issuanceId, lastSerial),
    // The ledger limits issuances to volumes that a double holds exactly.
    volume: Number(rangeVolume({ first: BigInt(firstSerial), last: BigInt(lastSerial) })),
  };
}

const issuanceFile: CsvFile<ReturnType<typeof toIssuance>> = {
  name: 'issuances',
  columns: {
    issuanceId: ({ issuanceId }) => issuanceId,
    productionFacilityCode: ({ productionFacilityCode }) => productionFacilityCode,
    standard: ({ standard }) => standard,
    registry: ({ registry }) => registry,
    creditType: ({ creditType }) => creditType,
    creditTypeId: ({ creditTypeId }) => creditTypeId,
    methodologyCode: ({ methodologyCode }) => methodologyCode,
    vintage: ({ vintage }) => String(vintage),
    productionStartDate: ({ productionStartDate }) => productionStartDate,
    productionEndDate: ({ productionEndDate }) => productionEndDate,
    issuingDate: ({ issuingDate }) => issuingDate,
    expirationDate: ({ expirationDate }) => expirationDate,
    firstSerial: ({ firstSerial }) => firstSerial,
    lastSerial: ({ lastSerial }) => lastSerial,
    accountHolderId: ({ accountHolderId }) => accountHolderId,
    salesChannelId: ({ salesChannelId }) => salesChannelId,
    traderId: ({ traderId }) => traderId,
    start: ({ start }) => start,
    end: ({ end }) => end,
    volume: ({ volume }) => String(volume),
  },
};

/** Issuances of the ledger. */
export const createIssuanceHandlers = ({ ledger }: Clients): Pick<Handlers, 'listIssuances' | 'getIssuance'> => ({
  listIssuances: async ({ query }, context) => {
    const { productionFacilityCode, vintage, accountHolderId } = query;
    const filter = withoutNulls({ productionFacilityCode, vintage, accountHolderId });
    const { issuances: found, ...size } = await ledger.ListIssuances(
      { ...toPage(query), ...filter },
      context.callOptions,
    );
    return toRegistryPage(context, size, query, found.map(toIssuance), issuanceFile);
  },
  getIssuance: async ({ path: { issuanceId } }, { callOptions }) =>
    createJsonAnswer(200, toIssuance(await ledger.GetIssuance({ issuanceId }, callOptions))),
});

/** Location header of a resource of the registry API. */
export const toLocationHeader = (
  collection: 'account-holders' | 'imports' | 'production-facilities' | 'transactions',
  id: string,
): Record<string, string> => ({ Location: `/Registry/api/${collection}/${encodeURIComponent(id)}` });

const toFacility = (facility: ReplyOf<'ledger.GetFacility'>) => {
  const { code, gsrn, name, country, methodologyCodes, supplier, creditingPeriod, id, supplierId } = facility;
  if (id === undefined || supplierId === undefined) throw new Error('inventory answered without the ids');
  return {
    productionFacilityId: id,
    code,
    gsrn: gsrn ?? null,
    name,
    country,
    methodologyCodes,
    supplierId,
    supplier,
    creditingPeriod: creditingPeriod && { start: creditingPeriod.start, end: creditingPeriod.end },
  };
};

/** Imports read these columns. Codes may contain any separator, so their list is JSON. */
const facilityFile: CsvFile<ReturnType<typeof toFacility>> = {
  name: 'production-facilities',
  columns: {
    productionFacilityId: ({ productionFacilityId }) => productionFacilityId,
    code: ({ code }) => code,
    gsrn: ({ gsrn }) => gsrn,
    name: ({ name }) => name,
    country: ({ country }) => country,
    methodologyCodes: ({ methodologyCodes }) => JSON.stringify(methodologyCodes),
    supplierId: ({ supplierId }) => supplierId,
    supplier: ({ supplier }) => supplier,
    'creditingPeriod.start': ({ creditingPeriod }) => creditingPeriod?.start,
    'creditingPeriod.end': ({ creditingPeriod }) => creditingPeriod?.end,
  },
};

type RegistryHandlers = Pick<
  Handlers,
  | 'listFacilities'
  | 'getFacility'
  | 'putFacility'
  | 'listCertificates'
  | 'getCertificateHistory'
  | 'listRegistryTransactions'
  | 'getRegistryTransaction'
  | 'approveTransaction'
  | 'rejectTransaction'
>;

/** Facilities, certificates and transactions of the registry API. */
export const createRegistryHandlers = ({ ledger, registryImport }: Clients): RegistryHandlers => ({
  listFacilities: async ({ query }, context) => {
    const { facilities, ...size } = await ledger.ListFacilities(toPage(query), context.callOptions);
    return toRegistryPage(context, size, query, facilities.map(toFacility), facilityFile);
  },
  getFacility: async ({ path: { code } }, { callOptions }) =>
    createJsonAnswer(200, toFacility(await ledger.GetFacility({ code }, callOptions))),
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
    return toPaginatedAnswer(
      'certificates',
      context,
      await ledger.ListCertificates(request, context.callOptions),
      query,
    );
  },
  getCertificateHistory: async ({ path: { certificate } }, { callOptions }) =>
    createRenderedAnswer(200, (await ledger.GetCertificateHistory({ certificate }, callOptions)).data),
  listRegistryTransactions: async ({ query }, context) => {
    const { status, type, accountHolderId, createdFrom, createdTo, expand } = query;
    const filter = withoutNulls({ status, type, accountHolderId });
    const createdAt = withoutNulls({ gte: createdFrom, lte: createdTo });
    const request = { ...toPage(query), ...filter, createdAt, ...toFormat(context), ...toExpand(expand) };
    const page = await openList(ledger.ListRegistryTransactions(request, context.createStreamOptions(LIST_TIMEOUT_MS)));
    requireExpanded(expand, page.first);
    return streamPaginatedAnswer('transactions', context, page, query);
  },
  getRegistryTransaction: async ({ path: { transactionId } }, { callOptions }) =>
    createRenderedAnswer(200, (await ledger.GetRegistryTransaction({ transactionId }, callOptions)).data),
  approveTransaction: async ({ path: { transactionId } }, { callOptions }) =>
    createRenderedAnswer(200, (await ledger.ApproveTransaction({ transactionId }, callOptions)).data),
  rejectTransaction: async ({ path: { transactionId } }, { callOptions }) =>
    createRenderedAnswer(200, (await ledger.RejectTransaction({ transactionId }, callOptions)).data),
});
