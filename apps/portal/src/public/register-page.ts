import { html, type Html } from '@saleschannel/edge/pages';
import { wrapTable, type PageParts } from './page.ts';
import {
  type ListedStatement,
  formatCountry,
  formatDay,
  groupDigits,
  formatMoment,
  formatPeriod,
} from './statement.ts';

export interface Filter {
  /** Days, both included. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly beneficiary: string | undefined;
}

const DAY_MS = 86_400_000;
const ROWS = 50;
const ROWS_OF_CSV = 1_000;
/** Limit of the API. */
const BENEFICIARY_LENGTH_AT_MOST = 200;

function parseDay(text: unknown): string | undefined {
  if (typeof text !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
  const day = new Date(`${text}T00:00:00.000Z`);
  return Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text ? undefined : text;
}

/** Cleans a part of a name for the API. Undefined for an empty part. */
function parseBeneficiary(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  const line = text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, ' ').trim();
  return line === '' ? undefined : [...line].slice(0, BENEFICIARY_LENGTH_AT_MOST).join('');
}

export const parseFilter = (query: Readonly<Record<string, unknown>>): Filter => ({
  from: parseDay(query['from']),
  to: parseDay(query['to']),
  beneficiary: parseBeneficiary(query['beneficiary']),
});

/** Returns the path of a page of the API's list. @param after cursor of the previous page */
export function createListPath({ from, to, beneficiary }: Filter, after: unknown, form: 'page' | 'csv'): string {
  const query = new URLSearchParams({ $limit: String(form === 'csv' ? ROWS_OF_CSV : ROWS) });
  if (from !== undefined) query.set('$filter[retiredAt][gte]', `${from}T00:00:00.000Z`);
  if (to !== undefined) {
    query.set('$filter[retiredAt][lt]', new Date(new Date(`${to}T00:00:00.000Z`).getTime() + DAY_MS).toISOString());
  }
  if (beneficiary !== undefined) query.set('$filter[beneficiaryName][contains]', beneficiary);
  if (typeof after === 'string') query.set('$after', after);
  return `/public/v1/statements?${query.toString()}`;
}

/** Returns the cursor of the next page. @param link header of the API's answer (RFC 8288) */
export function parseNextCursor(link: string | undefined): string | undefined {
  const target = /^<([^>]+)>; rel="next"/.exec(link ?? 'none')?.[1];
  if (target === undefined) return undefined;
  return new URL(target, 'http://localhost').searchParams.get('$after') ?? undefined;
}

function createPath(path: '/register' | '/register.csv', { from, to, beneficiary }: Filter, after: unknown): string {
  const query = new URLSearchParams({
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(beneficiary === undefined ? {} : { beneficiary }),
    ...(typeof after === 'string' ? { after } : {}),
  });
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

function renderBeneficiary({ beneficiaryName, beneficiaryHiddenUntil }: ListedStatement): Html {
  if (beneficiaryHiddenUntil !== null)
    return html`<span class="wait">Hidden until ${formatMoment(beneficiaryHiddenUntil)}</span>`;
  return html`<bdi>${beneficiaryName}</bdi>`;
}

const renderRow = (each: ListedStatement): Html =>
  html`<tr>
    <th scope="row">
      <a href="/r/${each.id}"><time datetime="${each.retiredAt}">${formatDay(each.retiredAt)}</time></a>
    </th>
    <td class="number">${groupDigits(each.volume)} t</td>
    <td class="name">${renderBeneficiary(each)}</td>
    <td>${each.beneficiaryLocation === undefined ? undefined : html`<bdi>${each.beneficiaryLocation}</bdi>`}</td>
    <td>${formatPeriod(each.consumptionPeriod)}, ${formatCountry(each.consumptionCountryCode)}</td>
  </tr>`;

const renderTable = (statements: readonly ListedStatement[]): Html =>
  wrapTable(
    'Public statements',
    html`<table>
      <caption>
        Public statements, newest first
      </caption>
      <thead>
        <tr>
          <th scope="col">Retired on</th>
          <th scope="col" class="number">Volume</th>
          ${['For', 'Location', 'Use'].map((name) => html`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${statements.map(renderRow)}
      </tbody>
    </table>`,
  );

export interface RegisterParts {
  readonly filter: Filter;
  readonly after: unknown;
  readonly statements: readonly ListedStatement[];
  readonly next: string | undefined;
}

export function renderRegisterPage({ filter, after, statements, next }: RegisterParts): PageParts {
  const { from, to, beneficiary } = filter;
  const about =
    beneficiary === undefined
      ? html`There are no public retirements in this period.`
      : html`No results for “<bdi>${beneficiary}</bdi>”. Hidden beneficiaries are not searched.`;
  const nothing = html`<p>${about} <a href="/register">Show all</a></p>`;
  const start = createPath('/register', filter, undefined);
  const first = typeof after === 'string' ? html`<a href="${start}">First page</a>` : undefined;
  const following = next && html`<a rel="next" href="${createPath('/register', filter, next)}">Next page</a>`;
  const main = html`
    <h1>Register of retirements</h1>
    <p>Public retirements and their beneficiaries. Times are in UTC.</p>
    <form action="/register" method="get" class="fields">
      <p><label for="from">Retired from</label><input id="from" name="from" type="date" value="${from}" /></p>
      <p><label for="to">to</label><input id="to" name="to" type="date" value="${to}" /></p>
      <p>
        <label for="beneficiary">Beneficiary</label>
        <input
          id="beneficiary"
          name="beneficiary"
          type="text"
          maxlength="${String(BENEFICIARY_LENGTH_AT_MOST)}"
          value="${beneficiary}"
        />
      </p>
      <p><button>Show</button></p>
    </form>
    ${statements.length === 0 ? nothing : renderTable(statements)}
    <nav aria-label="Pages">
      ${first} ${following}
      <a href="${createPath('/register.csv', filter, after)}" download>CSV</a>
    </nav>
    <p class="muted">
      The CSV contains up to ${groupDigits(String(ROWS_OF_CSV))} statements, beginning with the first one on this page.
    </p>
  `;
  return { title: 'Register of retirements', main };
}
