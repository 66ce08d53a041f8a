import type { IncomingMessage } from 'node:http';
import type { Issuance, Issuance__Output } from '@saleschannel/contracts/gen/inventory/v1/Issuance';
import type { Import__Output } from '@saleschannel/contracts/gen/registry_import/v1/Import';
import type { ImportPart } from '@saleschannel/contracts/gen/registry_import/v1/ImportPart';
import { formatCertificateRef, rangeVolume } from '@saleschannel/primitives';
import type { Clients } from '../clients.ts';
import { refuseIfAny } from '../contract/violations.ts';
import { json } from '../http/answer.ts';
import { mediaTypeOf } from '../http/body.ts';
import type { Handler } from '../http/pipeline.ts';
import { pageOf, paginated } from './registry.ts';

/** An import may be as long as its file; the connection's own limits end one that stands still. */
const IMPORT_TIMEOUT_MS = 3_600_000;
const PIECE_BYTES_AT_MOST = 65_536;
const NDJSON = 'application/x-ndjson';
const mediaTypes = new Map([
  [NDJSON, true],
  ['text/csv', true],
]);

const importOf = ({
  importId,
  status,
  linesRead,
  linesApplied,
  linesFailed,
  createdAt,
  completedAt,
}: Import__Output) => ({
  importId,
  status,
  linesRead: Number(linesRead),
  linesApplied: Number(linesApplied),
  linesFailed: Number(linesFailed),
  createdAt,
  completedAt: completedAt ?? null,
});

type IssuanceBody = { [K in keyof Issuance]?: Issuance[K] | null };

function issuanceOf(issuance: Issuance__Output) {
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
    // The ledger lets no issuance be larger than a JSON number keeps.
    volume: Number(rangeVolume({ first: BigInt(firstSerial), last: BigInt(lastSerial) })),
  };
}

/** The request body in pieces, at the pace at which they are taken. */
async function* partsOf(
  request: IncomingMessage,
  contentType: string,
  type: string | undefined,
): AsyncGenerator<ImportPart> {
  yield { header: { contentType, ...(type === undefined ? {} : { type }) } };
  // Ending early must not close the connection: the answer still has to go out on it.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES_AT_MOST)
      yield { data: chunk.subarray(at, at + PIECE_BYTES_AT_MOST) };
  }
}

function checkType(contentType: string, type: string | undefined): void {
  if (contentType === NDJSON && type !== undefined)
    refuseIfAny([
      { parameter: 'type', detail: 'is only for CSV: each line of NDJSON has its own', code: 'not-allowed' },
    ]);
  if (contentType !== NDJSON && type === undefined)
    refuseIfAny([{ parameter: 'type', detail: 'is required for CSV', code: 'required' }]);
}

/** Issuances and bulk imports. */
export const imports = ({ registryImport }: Clients) =>
  ({
    createIssuance: async ({ call, body }) => {
      const fields = Object.fromEntries(
        Object.entries(body as IssuanceBody).filter(([, value]) => value !== null),
      ) as Issuance;
      const { issuance, created } = await registryImport.CreateIssuance({ issuance: fields }, call);
      if (!issuance) throw new Error('registry-import answered without the issuance');
      return json(created ? 201 : 200, issuanceOf(issuance), {
        Location: `/Registry/api/transactions/${encodeURIComponent(issuance.issuanceId)}`,
      });
    },
    startImport: async ({ call, query, request }) => {
      const contentType = mediaTypeOf(request, mediaTypes);
      const type = query['type'] as string | undefined;
      checkType(contentType, type);
      const started = await registryImport.StartImport(partsOf(request, contentType, type), {
        ...call,
        timeoutMs: IMPORT_TIMEOUT_MS,
      });
      return json(202, importOf(started), {
        Location: `/Registry/api/imports/${encodeURIComponent(started.importId)}`,
      });
    },
    listImports: async (exchange) => {
      const page = pageOf(exchange);
      const { total, imports: found } = await registryImport.ListImports(page, exchange.call);
      return paginated(total, page, found.map(importOf));
    },
    getImport: async ({ call, path }) =>
      json(200, importOf(await registryImport.GetImport({ importId: path['importId'] ?? '' }, call))),
    listImportErrors: async (exchange) => {
      const page = pageOf(exchange);
      const { total, errors } = await registryImport.ListImportErrors(
        { importId: exchange.path['importId'] ?? '', ...page },
        exchange.call,
      );
      return paginated(
        total,
        page,
        errors.map(({ line, code, detail }) => ({ line: Number(line), code, detail })),
      );
    },
  }) satisfies Record<string, Handler>;
