import { actorOf } from '@saleschannel/audit';
import { notFound } from '@saleschannel/errors';
import { lookUpOwnerOf, salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { formatCsvRow, formatInstant, type CsvColumns } from '@saleschannel/primitives';
import { date, idToFind, parse, readChannelPage } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { parseStatementFilter } from '../domain/list-requests.ts';
import {
  createDisclosures,
  isHidden,
  publications,
  parseRetirement,
  type RetirementTerms,
} from '../domain/statement.ts';
import { updateStatement as update } from '../operations/update-statement.ts';
import type { BundleView } from '../store/bundle-views.ts';
import {
  findRetiredRanges,
  findStatement,
  selectPublicStatements,
  type ListedStatement,
  type SignedView,
  type StatementView,
} from '../store/statements.ts';
import {
  toCertificateId,
  createCsvForm,
  toExactNumber,
  isCsv,
  toJsonDocument,
  createJsonForm,
  toTextDocument,
  toRange,
  toRows,
  toTotalVolume,
  type Format,
  type ListForm,
} from './messages.ts';

/** Public statements of retirements: without owners and prices, and without beneficiaries under embargo. */

const toRetired = (view: BundleView): object => ({
  certificates: toCertificateId(view),
  ...toRange(view, view.first, view.last),
  standard: view.standard,
  registry: view.registry,
  creditType: view.creditType,
  methodologyCode: view.methodologyCode,
  countryCode: view.countryCode,
  productionFacilityCode: view.facilityCode,
  vintage: view.vintage,
  productionStartDate: view.productionStartDate,
  productionEndDate: view.productionEndDate,
  issuingDate: view.issuingDate,
});

/** Terms of a retirement that are never hidden. */
const toUse = ({ beneficiaryType, consumptionCountryCode, usageType, ...terms }: RetirementTerms): object => ({
  beneficiaryType,
  consumptionCountryCode,
  usageType,
  consumptionPeriod: {
    start: formatInstant(terms.consumptionPeriodStart),
    end: formatInstant(terms.consumptionPeriodEnd),
  },
});

const toBeneficiary = ({ beneficiaryName, beneficiaryLocation, retirementPurpose }: RetirementTerms): object => ({
  beneficiaryName,
  beneficiaryLocation,
  retirementPurpose,
});

const toVisibility = (view: StatementView, hidden: boolean): object => ({
  publication: view.publication,
  transactionId: view.publication === 'PUBLIC' ? view.transactionId : null,
  beneficiaryHiddenUntil: hidden ? view.beneficiaryHiddenUntil : null,
});

type StatementOptions = Pick<Context, 'signer' | 'isSandbox'> & { readonly now: Date };

/**
 * Renders a statement with its signature, an SD-JWT (RFC 9901 section 4). Hidden members are signed by digest, so
 * revealing the beneficiary adds disclosures and keeps the signature.
 */
export async function renderStatement(
  view: SignedView,
  retired: readonly BundleView[],
  { signer, now, isSandbox }: StatementOptions,
): Promise<string> {
  const terms = parseRetirement(view.retirement);
  const hidden = isHidden(view, now);
  const disclosures = createDisclosures(terms, view.secret);
  const facts = {
    id: view.id,
    retiredAt: view.retiredAt,
    volume: toTotalVolume(retired),
    ...toUse(terms),
    certificates: retired.map(toRetired),
    ...(isSandbox ? { sandbox: true } : {}),
  };
  const digests = disclosures.map(({ digest }) => digest).sort();
  const signed = await signer.sign(JSON.stringify({ ...facts, _sd_alg: 'sha-256', _sd: digests }));
  const revealed = hidden ? [] : disclosures.map(({ text }) => `${text}~`);
  return JSON.stringify({
    ...facts,
    ...(hidden ? {} : toBeneficiary(terms)),
    ...toVisibility(view, hidden),
    signature: `${signed}~${revealed.join('')}`,
  });
}

export const getStatement: Rpc<'publicRegister.GetStatement', Context> =
  ({ reads, signer, clock, isSandbox }) =>
  async (request, call) => {
    const id = idToFind(request.id);
    const found = await reads.page(lookUpOwnerOf(call).owner, async (em) => {
      const view = await findStatement(em, id);
      return view && { view, retired: await findRetiredRanges(em, view.transactionId) };
    });
    if (!found) throw notFound();
    return toTextDocument(await renderStatement(found.view, found.retired, { signer, now: clock.now(), isSandbox }));
  };

export const getStatementKeys: Rpc<'publicRegister.GetStatementKeys', Context> =
  ({ signer }) =>
  async () =>
    toJsonDocument(signer.publicKeys);

/** A statement of a list, with its visibility at the time of the call. */
interface Entry {
  readonly view: ListedStatement;
  readonly terms: RetirementTerms;
  readonly hidden: boolean;
}

const renderEntry = ({ view, terms, hidden }: Entry): string =>
  JSON.stringify({
    id: view.id,
    retiredAt: view.retiredAt,
    volume: toExactNumber(view.volume),
    ...toUse(terms),
    ...(hidden ? {} : toBeneficiary(terms)),
    ...toVisibility(view, hidden),
  });

const columns: CsvColumns<Entry> = {
  id: ({ view }) => view.id,
  retiredAt: ({ view }) => view.retiredAt,
  volume: ({ view }) => view.volume,
  beneficiaryType: ({ terms }) => terms.beneficiaryType,
  consumptionCountryCode: ({ terms }) => terms.consumptionCountryCode,
  usageType: ({ terms }) => terms.usageType,
  'consumptionPeriod.start': ({ terms }) => formatInstant(terms.consumptionPeriodStart),
  'consumptionPeriod.end': ({ terms }) => formatInstant(terms.consumptionPeriodEnd),
  beneficiaryName: ({ terms, hidden }) => (hidden ? null : terms.beneficiaryName),
  beneficiaryLocation: ({ terms, hidden }) => (hidden ? null : terms.beneficiaryLocation),
  retirementPurpose: ({ terms, hidden }) => (hidden ? null : terms.retirementPurpose),
  publication: ({ view }) => view.publication,
  transactionId: ({ view }) => (view.publication === 'PUBLIC' ? view.transactionId : null),
  beneficiaryHiddenUntil: ({ view, hidden }) => (hidden ? view.beneficiaryHiddenUntil : null),
};

function createStatementForm(format: Format, now: Date): ListForm<ListedStatement> {
  const toEntry = (view: ListedStatement): Entry => ({
    view,
    terms: parseRetirement(view.retirement),
    hidden: isHidden(view, now),
  });
  return isCsv(format)
    ? createCsvForm(columns, (view) => formatCsvRow(columns, toEntry(view)))
    : createJsonForm((view) => renderEntry(toEntry(view)));
}

export const listStatements: Rpc<'publicRegister.ListStatements', Context> =
  ({ reads, clock }) =>
  async ({ retiredAt, beneficiaryPart, page: requestPage, format }, call) => {
    const page = readChannelPage(requestPage);
    const filter = parseStatementFilter({ retiredAt, beneficiaryPart });
    // One time for search and display, so that no statement is found by a name that is still hidden.
    const now = clock.now();
    const search = filter.beneficiaryPart === undefined ? undefined : { part: filter.beneficiaryPart, now };
    const rows = await reads.page(lookUpOwnerOf(call).owner, (em) =>
      selectPublicStatements(em, filter.retiredAt, page, search),
    );
    return { ...toRows(rows, createStatementForm(format, now)), searched: search !== undefined };
  };

const changeSchema = z.object({
  publication: z.enum(publications).optional(),
  beneficiaryHiddenUntil: z
    .literal('')
    .transform(() => null)
    .or(date)
    .optional(),
});

export const updateStatement: Rpc<'inventory.UpdateStatement', Context> = (context) => async (request, call) => {
  const transactionId = idToFind(request.transactionId);
  const change = parse(changeSchema, request, 'The statement is not valid.');
  const { publication, beneficiaryHiddenUntil } = change;
  const key = { salesChannelId: salesChannelOf(call), transactionId };
  return toJsonDocument(await update(context, { ...key, publication, beneficiaryHiddenUntil, actor: actorOf(call) }));
};
