import { isoInstant } from '@saleschannel/primitives';
import { disclosuresOf, isHidden, readRetirement, type RetirementTerms } from '../domain/statement.ts';
import type { StatementSigner } from '../signing/statement-keys.ts';
import type { BundleView } from '../store/bundle-views.ts';
import type { ListedStatement, SignedView, StatementView } from '../store/statements.ts';
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

/**
 * A statement with its signature, an SD-JWT (RFC 9901 section 4). What is signed does not depend on who may see the
 * statement: revealing the beneficiary adds disclosures and leaves the signature as it is.
 */
export async function renderStatement(
  view: SignedView,
  retired: readonly BundleView[],
  signer: StatementSigner,
  now: Date,
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

/** A statement in a list, at a time. */
export const listedStatementAt =
  (now: Date) =>
  (view: ListedStatement): string => {
    const terms = readRetirement(view.retirement);
    const hidden = isHidden(view, now);
    return JSON.stringify({
      id: view.id,
      retiredAt: view.retiredAt,
      volume: exactNumber(view.volume),
      ...useOf(terms),
      ...(hidden ? {} : beneficiaryOf(terms)),
      ...visibilityOf(view, hidden),
    });
  };
