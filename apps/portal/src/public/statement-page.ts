import { html, type Html } from '@saleschannel/edge/pages';
import { scrolling, type PageParts } from './layout.ts';
import type { RetiredCertificates, Statement } from './statement.ts';
import { countryOf, dayOf, groupsOf, kindOf, momentOf, periodOf, useOf } from './words.ts';

/** Result of the server's check of the signature. */
export type Verdict =
  { readonly state: 'valid' } | { readonly state: 'invalid'; readonly reason: string } | { readonly state: 'unknown' };

/** Renders a time, with its exact value for scripts. @param signed path of the signed member */
const time = (signed: string, instant: string, text: string): Html =>
  html`<time data-signed="${signed}" datetime="${instant}">${text}</time>`;

/** Renders a value whose text differs from the signed form. */
const shown = (signed: string, value: string, text: string): Html =>
  html`<data data-signed="${signed}" value="${value}">${text}</data>`;

/** Renders a name, which may be written from right to left. */
const own = (signed: string, text: string): Html => html`<bdi data-signed="${signed}">${text}</bdi>`;

export function signatureOf(verdict: Verdict): Html {
  switch (verdict.state) {
    case 'valid':
      return html`<strong class="ok">Signature valid</strong>, checked by this server`;
    case 'invalid':
      return html`<strong class="bad">Signature invalid.</strong> ${verdict.reason}`;
    case 'unknown':
      return html`<strong class="wait">Signature not checked:</strong> the keys are not available at the moment`;
  }
}

const fact = (name: string, value: Html): Html =>
  html`<dt>${name}</dt>
    <dd>${value}</dd>`;

function beneficiaryOf(statement: Statement): Html {
  const { beneficiaryName, beneficiaryLocation, retirementPurpose, beneficiaryHiddenUntil } = statement;
  if (beneficiaryHiddenUntil !== null) {
    const until = html`<time datetime="${beneficiaryHiddenUntil}">${momentOf(beneficiaryHiddenUntil)}</time>`;
    const hidden = html`<span class="wait">Hidden until ${until}</span>`;
    return html`${fact('For', hidden)}${fact('Purpose', hidden)}`;
  }
  const place =
    beneficiaryLocation === undefined ? undefined : html`, ${own('beneficiaryLocation', beneficiaryLocation)}`;
  return html`
    ${beneficiaryName === undefined ? undefined : fact('For', html`${own('beneficiaryName', beneficiaryName)}${place}`)}
    ${retirementPurpose === undefined ? undefined : fact('Purpose', own('retirementPurpose', retirementPurpose))}
  `;
}

const rowOf = (each: RetiredCertificates, index: number): Html => {
  const at = (name: keyof RetiredCertificates): string => `certificates.${index}.${name}`;
  return html`<tr>
    <th scope="row" class="mono" data-signed="${at('certificates')}">${each.certificates}</th>
    <td class="number">${shown(at('volume'), each.volume, `${groupsOf(each.volume)} t`)}</td>
    <td class="number" data-signed="${at('vintage')}">${each.vintage}</td>
    <td class="mono" data-signed="${at('productionFacilityCode')}">${each.productionFacilityCode}</td>
    <td>${shown(at('countryCode'), each.countryCode, countryOf(each.countryCode))}</td>
    <td data-signed="${at('methodologyCode')}">${each.methodologyCode}</td>
    <td>
      ${time(at('productionStartDate'), each.productionStartDate, dayOf(each.productionStartDate))} to
      ${time(at('productionEndDate'), each.productionEndDate, dayOf(each.productionEndDate))}
    </td>
    <td>${time(at('issuingDate'), each.issuingDate, dayOf(each.issuingDate))}</td>
    <td class="action">
      <a href="/verify?id=${encodeURIComponent(each.start)}" aria-label="Check ${each.certificates}">Check</a>
    </td>
  </tr>`;
};

const columns = ['Certificates', 'Volume', 'Vintage', 'Facility', 'Country', 'Methodology', 'Produced', 'Issued', ''];

const headOf = (name: string): Html => {
  if (name === '') return html`<td class="action"></td>`;
  const isNumber = name === 'Volume' || name === 'Vintage';
  return html`<th scope="col" class="${isNumber ? 'number' : 'word'}">${name}</th>`;
};

const certificatesOf = (statement: Statement): Html =>
  scrolling(
    'Certificates',
    html`<table>
      <caption>
        Retired certificates
      </caption>
      <thead>
        <tr>
          ${columns.map(headOf)}
        </tr>
      </thead>
      <tbody>
        ${statement.certificates.map(rowOf)}
      </tbody>
    </table>`,
  );

/** Signed mark of a sandbox, which every installation shows. */
const sandboxOf = ({ sandbox }: Statement): Html | undefined =>
  sandbox && html`<p class="sandbox"><strong>${shown('sandbox', 'true', 'Sandbox:')}</strong> no CO₂ was removed</p>`;

export function statementPage(statement: Statement, verdict: Verdict): PageParts {
  const { id, retiredAt, volume, consumptionCountryCode, consumptionPeriod, usageType, beneficiaryType } = statement;
  const { start, end } = consumptionPeriod;
  const use = html`<span>
    <data data-signed="consumptionPeriod.start" value="${start}"></data
    ><data data-signed="consumptionPeriod.end" value="${end}"></data>${periodOf(consumptionPeriod)},
    ${shown('consumptionCountryCode', consumptionCountryCode, countryOf(consumptionCountryCode))}
  </span>`;
  const main = html`
    <h1>Retirement statement</h1>
    ${sandboxOf(statement)}
    <p id="signature" role="status" data-statement="${id}">${signatureOf(verdict)}</p>
    <p class="printed">
      This printed copy is not signed. The register has the signed statement at this address: /r/${id}
    </p>
    <p class="lead">
      ${shown('volume', volume, `${groupsOf(volume)} t`)} CO₂ removed, retired on
      ${time('retiredAt', retiredAt, dayOf(retiredAt))}
    </p>
    <dl>
      ${beneficiaryOf(statement)} ${fact('Use', use)}
      ${fact('Type of use', shown('usageType', usageType, useOf(usageType)))}
      ${fact('Beneficiary type', shown('beneficiaryType', beneficiaryType, kindOf(beneficiaryType)))}
      ${fact('Retired at', html`<time datetime="${retiredAt}">${momentOf(retiredAt)}</time>`)}
      ${fact('Statement', html`<span class="mono" data-signed="id">${id}</span>`)}
    </dl>
    ${certificatesOf(statement)}
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
    title: `${groupsOf(volume)} t CO₂ retired on ${dayOf(retiredAt)}`,
    main,
    canonical: `/r/${id}`,
    hasScript: true,
  };
}
