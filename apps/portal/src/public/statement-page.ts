import { html, type Html } from '@saleschannel/edge/pages';
import { wrapTable, type PageParts } from './page.ts';
import {
  type RetiredCertificates,
  type Statement,
  formatCountry,
  formatDay,
  groupDigits,
  formatKind,
  formatMoment,
  formatPeriod,
  formatUse,
} from './statement.ts';

export type Verdict =
  { readonly state: 'valid' } | { readonly state: 'invalid'; readonly reason: string } | { readonly state: 'unknown' };

/** Renders a time, with its exact value for scripts. @param signed path of the signed member */
const renderTime = (signed: string, instant: string, text: string): Html =>
  html`<time data-signed="${signed}" datetime="${instant}">${text}</time>`;

const renderValue = (signed: string, value: string, text: string): Html =>
  html`<data data-signed="${signed}" value="${value}">${text}</data>`;

/** Renders a name, which may be written from right to left. */
const renderName = (signed: string, text: string): Html => html`<bdi data-signed="${signed}">${text}</bdi>`;

export function renderSignature(verdict: Verdict): Html {
  switch (verdict.state) {
    case 'valid':
      return html`<strong class="ok">Signature valid</strong>, checked by this server`;
    case 'invalid':
      return html`<strong class="bad">Signature invalid.</strong> ${verdict.reason}`;
    case 'unknown':
      return html`<strong class="wait">Signature not checked:</strong> the keys are not available at the moment`;
  }
}

const renderFact = (name: string, value: Html): Html =>
  html`<dt>${name}</dt>
    <dd>${value}</dd>`;

function renderBeneficiary(statement: Statement): Html {
  const { beneficiaryName, beneficiaryLocation, retirementPurpose, beneficiaryHiddenUntil } = statement;
  if (beneficiaryHiddenUntil !== null) {
    const until = html`<time datetime="${beneficiaryHiddenUntil}">${formatMoment(beneficiaryHiddenUntil)}</time>`;
    const hidden = html`<span class="wait">Hidden until ${until}</span>`;
    return html`${renderFact('For', hidden)}${renderFact('Purpose', hidden)}`;
  }
  const location =
    beneficiaryLocation === undefined ? undefined : html`, ${renderName('beneficiaryLocation', beneficiaryLocation)}`;
  const name =
    beneficiaryName === undefined
      ? undefined
      : renderFact('For', html`${renderName('beneficiaryName', beneficiaryName)}${location}`);
  const purpose =
    retirementPurpose === undefined
      ? undefined
      : renderFact('Purpose', renderName('retirementPurpose', retirementPurpose));
  return html`${name} ${purpose}`;
}

const renderRow = (each: RetiredCertificates, index: number): Html => {
  const at = (name: keyof RetiredCertificates): string => `certificates.${index}.${name}`;
  return html`<tr>
    <th scope="row" class="mono" data-signed="${at('certificates')}">${each.certificates}</th>
    <td class="number">${renderValue(at('volume'), each.volume, `${groupDigits(each.volume)} t`)}</td>
    <td class="number" data-signed="${at('vintage')}">${each.vintage}</td>
    <td class="mono" data-signed="${at('productionFacilityCode')}">${each.productionFacilityCode}</td>
    <td>${renderValue(at('countryCode'), each.countryCode, formatCountry(each.countryCode))}</td>
    <td data-signed="${at('methodologyCode')}">${each.methodologyCode}</td>
    <td>
      ${renderTime(at('productionStartDate'), each.productionStartDate, formatDay(each.productionStartDate))} to
      ${renderTime(at('productionEndDate'), each.productionEndDate, formatDay(each.productionEndDate))}
    </td>
    <td>${renderTime(at('issuingDate'), each.issuingDate, formatDay(each.issuingDate))}</td>
    <td class="action">
      <a href="/verify?id=${encodeURIComponent(each.start)}" aria-label="Check ${each.certificates}">Check</a>
    </td>
  </tr>`;
};

const columns = ['Certificates', 'Volume', 'Vintage', 'Facility', 'Country', 'Methodology', 'Produced', 'Issued', ''];

const renderHead = (name: string): Html => {
  if (name === '') return html`<td class="action"></td>`;
  const isNumber = name === 'Volume' || name === 'Vintage';
  return html`<th scope="col" class="${isNumber ? 'number' : 'word'}">${name}</th>`;
};

const renderCertificates = (statement: Statement): Html =>
  wrapTable(
    'Certificates',
    html`<table>
      <caption>
        Retired certificates
      </caption>
      <thead>
        <tr>
          ${columns.map(renderHead)}
        </tr>
      </thead>
      <tbody>
        ${statement.certificates.map(renderRow)}
      </tbody>
    </table>`,
  );

/** Signed mark of a sandbox, which every installation shows. */
const renderSandboxMark = ({ sandbox }: Statement): Html | undefined =>
  sandbox &&
  html`<p class="sandbox"><strong>${renderValue('sandbox', 'true', 'Sandbox:')}</strong> no CO₂ was removed</p>`;

export function renderStatementPage(statement: Statement, verdict: Verdict): PageParts {
  const { id, retiredAt, volume, consumptionCountryCode, consumptionPeriod, usageType, beneficiaryType } = statement;
  const { start, end } = consumptionPeriod;
  const use = html`<span>
    <data data-signed="consumptionPeriod.start" value="${start}"></data
    ><data data-signed="consumptionPeriod.end" value="${end}"></data>${formatPeriod(consumptionPeriod)},
    ${renderValue('consumptionCountryCode', consumptionCountryCode, formatCountry(consumptionCountryCode))}
  </span>`;
  const main = html`
    <h1>Retirement statement</h1>
    ${renderSandboxMark(statement)}
    <p id="signature" role="status" data-statement="${id}">${renderSignature(verdict)}</p>
    <p class="printed">
      This printed copy is not signed. The register has the signed statement at this address: /r/${id}
    </p>
    <p class="lead">
      ${renderValue('volume', volume, `${groupDigits(volume)} t`)} CO₂ removed, retired on
      ${renderTime('retiredAt', retiredAt, formatDay(retiredAt))}
    </p>
    <dl>
      ${renderBeneficiary(statement)} ${renderFact('Use', use)}
      ${renderFact('Type of use', renderValue('usageType', usageType, formatUse(usageType)))}
      ${renderFact('Beneficiary type', renderValue('beneficiaryType', beneficiaryType, formatKind(beneficiaryType)))}
      ${renderFact('Retired at', html`<time datetime="${retiredAt}">${formatMoment(retiredAt)}</time>`)}
      ${renderFact('Statement', html`<span class="mono" data-signed="id">${id}</span>`)}
    </dl>
    ${renderCertificates(statement)}
    <p class="actions">
      <a href="/r/${id}.pdf">PDF</a>
      <a href="/r/${id}.json" download>JSON</a>
      <a href="/verify">Check a certificate</a>
    </p>
    <p class="muted">
      A certificate stands for one tonne of CO₂ removed. Retirement takes it out of use permanently. The JSON contains
      the signature. Check it offline with the <a href="/.well-known/statement-keys.json">published keys</a>.
    </p>
  `;
  return {
    title: `${groupDigits(volume)} t CO₂ retired on ${formatDay(retiredAt)}`,
    main,
    canonical: `/r/${id}`,
    hasScript: true,
  };
}
