import type { ReplyOf } from '@saleschannel/grpc';
import { formatCertificateRef, rangeVolume } from '@saleschannel/primitives';
import type { Clients } from '../clients.ts';
import { createJsonAnswer } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import { toRegistryPage, type CsvFile } from './lists.ts';
import { toPage, withoutNulls } from './requests.ts';

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
