import { csvRow, isoInstant, type CsvColumns } from '@saleschannel/primitives';
import { disclosuresOf, isHidden, readRetirement, type RetirementTerms } from '../domain/statement.ts';
import type { StatementSigner } from '../signing/statement-keys.ts';
import type { BundleView } from '../store/bundle-views.ts';
import type { ListedStatement, SignedView, StatementView } from '../store/statements.ts';
import { asCsv, asJson, isCsv, type Format, type ListForm } from './list-messages.ts';
import { certificateIdOf, endsOf, exactNumber, volumeOf } from './messages.ts';

/** Statements as JSON for the public: no owners and no prices, and of a hidden beneficiary not a word. */

const retiredOf = (view: BundleView): object => ({
  certificates: certificateIdOf(view),
  ...endsOf(view, view.first, view.last),
  volume: volumeOf(view),
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

/** What of a retirement is never hidden. */
const useOf = ({ beneficiaryType, consumptionCountryCode, usageType, ...terms }: RetirementTerms): object => ({
  beneficiaryType,
  consumptionCountryCode,
  usageType,
  consumptionPeriod: {
    start: isoInstant(terms.consumptionPeriodStart),
    end: isoInstant(terms.consumptionPeriodEnd),
  },
});

const beneficiaryOf = ({ beneficiaryName, beneficiaryLocation, retirementPurpose }: RetirementTerms): object => ({
  beneficiaryName,
  beneficiaryLocation,
  retirementPurpose,
});

/** How the statement may be found and what is hidden of it. */
const visibilityOf = (view: StatementView, hidden: boolean): object => ({
  publication: view.publication,
  transactionId: view.publication === 'PUBLIC' ? view.transactionId : null,
  beneficiaryHiddenUntil: hidden ? view.beneficiaryHiddenUntil : null,
});

const totalOf = (retired: readonly BundleView[]): unknown =>
  exactNumber(String(retired.reduce((sum, { first, last }) => sum + BigInt(last) - BigInt(first) + 1n, 0n)));

interface StatementOptions {
  readonly signer: StatementSigner;
  readonly now: Date;
  /** Then the statement says so, under its signature: nobody can show it as a real one. */
  readonly isSandbox: boolean;
}

/**
 * A statement with its signature, an SD-JWT (RFC 9901 section 4). What is signed does not depend on who may see the
 * statement: revealing the beneficiary adds disclosures and leaves the signature as it is.
 */
export async function renderStatement(
  view: SignedView,
  retired: readonly BundleView[],
  { signer, now, isSandbox }: StatementOptions,
): Promise<string> {
  const terms = readRetirement(view.retirement);
  const hidden = isHidden(view, now);
  const disclosures = disclosuresOf(terms, view.secret);
  const facts = {
    id: view.id,
    retiredAt: view.retiredAt,
    volume: totalOf(retired),
    ...useOf(terms),
    certificates: retired.map(retiredOf),
    ...(isSandbox ? { sandbox: true } : {}),
  };
  const digests = disclosures.map(({ digest }) => digest).sort();
  const signed = await signer.sign(JSON.stringify({ ...facts, _sd_alg: 'sha-256', _sd: digests }));
  const revealed = hidden ? [] : disclosures.map(({ text }) => `${text}~`);
  return JSON.stringify({
    ...facts,
    ...(hidden ? {} : beneficiaryOf(terms)),
    ...visibilityOf(view, hidden),
    signature: `${signed}~${revealed.join('')}`,
  });
}

/** A statement in a list, with what of it may be seen. */
interface Listed {
  readonly view: ListedStatement;
  readonly terms: RetirementTerms;
  readonly hidden: boolean;
}

const listedJson = ({ view, terms, hidden }: Listed): string =>
  JSON.stringify({
    id: view.id,
    retiredAt: view.retiredAt,
    volume: exactNumber(view.volume),
    ...useOf(terms),
    ...(hidden ? {} : beneficiaryOf(terms)),
    ...visibilityOf(view, hidden),
  });

const columns: CsvColumns<Listed> = {
  id: ({ view }) => view.id,
  retiredAt: ({ view }) => view.retiredAt,
  volume: ({ view }) => view.volume,
  beneficiaryType: ({ terms }) => terms.beneficiaryType,
  consumptionCountryCode: ({ terms }) => terms.consumptionCountryCode,
  usageType: ({ terms }) => terms.usageType,
  'consumptionPeriod.start': ({ terms }) => isoInstant(terms.consumptionPeriodStart),
  'consumptionPeriod.end': ({ terms }) => isoInstant(terms.consumptionPeriodEnd),
  beneficiaryName: ({ terms, hidden }) => (hidden ? null : terms.beneficiaryName),
  beneficiaryLocation: ({ terms, hidden }) => (hidden ? null : terms.beneficiaryLocation),
  retirementPurpose: ({ terms, hidden }) => (hidden ? null : terms.retirementPurpose),
  publication: ({ view }) => view.publication,
  transactionId: ({ view }) => (view.publication === 'PUBLIC' ? view.transactionId : null),
  beneficiaryHiddenUntil: ({ view, hidden }) => (hidden ? view.beneficiaryHiddenUntil : null),
};

/** Statements in a list, as they are seen at a time. */
export function listedStatementForm(format: Format, now: Date): ListForm<ListedStatement> {
  const listed = (view: ListedStatement): Listed => ({
    view,
    terms: readRetirement(view.retirement),
    hidden: isHidden(view, now),
  });
  return isCsv(format)
    ? asCsv(columns, (view) => csvRow(columns, listed(view)))
    : asJson((view) => listedJson(listed(view)));
}
