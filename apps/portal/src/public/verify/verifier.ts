import { matchMediaType, toNetwork, readBytes } from '@saleschannel/edge';
import { DomainError, type ErrorCode } from '@saleschannel/errors';
import { FairShare } from '@saleschannel/runtime';
import type { Request } from 'express';
import { html, type Html } from '@saleschannel/edge/pages';
import { JobThread } from '../../threads/job-thread.ts';
import {
  type StatementKeys,
  type CertificateStatus,
  formatCountry,
  formatDay,
  groupDigits,
  formatMoment,
} from '../statement.ts';
import { type Verdict, renderSignature } from '../statement-page.ts';
import { wrapTable, type PageParts } from '../page.ts';

/**
 * A statement of 1,000 ranges with ordinary names is a form of 1.40 MB, indented 1.55 MB. Longer statements can be
 * checked in the browser or by a program.
 */
const FORM_BYTES_AT_MOST = 2_097_152;
const FORM_TIMEOUT_MS = 20_000;
const formTypes = new Map([['application/x-www-form-urlencoded', true]]);
/** Forms in memory at a time. */
const FORMS_AT_ONCE = 32;
const RETRY_AFTER_SECONDS = 5;
const MEMORY_MB = 128;

export interface VerifyJob {
  readonly form: Uint8Array;
  readonly keys: StatementKeys;
}

/** Valid statement, as far as the page shows it. */
export interface ValidStatement {
  readonly id: string;
  readonly volume: string;
  readonly retiredAt: string;
  readonly isSandbox: boolean;
}

export interface Checked {
  readonly verdict: Verdict;
  readonly statement: ValidStatement | undefined;
  /** Pasted text, unless it is too long to show again. */
  readonly pasted: string | undefined;
}

/** `checked` is undefined for a form without a statement. */
export type VerifyOutcome = { readonly checked: Checked | undefined } | { readonly refused: ErrorCode };

export interface VerifierOptions {
  /** Replaced by tests. */
  readonly timeoutMs?: number;
}

/** Checks pasted statements for readers without script: in a thread with a deadline, one at a time per address. */
export class Verifier {
  readonly #thread: JobThread<VerifyJob, VerifyOutcome>;
  readonly #share = new FairShare({
    maxConcurrent: FORMS_AT_ONCE,
    maxConcurrentPerOwner: 1,
    maxQueuedPerOwner: 1,
    refusal: () =>
      new DomainError('rate-limited', 'Another statement from this address is being checked.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      }),
  });

  constructor({ timeoutMs = 10_000 }: VerifierOptions = {}) {
    this.#thread = new JobThread({ script: new URL('./worker.ts', import.meta.url), timeoutMs, memoryMb: MEMORY_MB });
  }

  /**
   * Checks the statement in a form. Undefined for a form without a statement.
   * @param loadKeys called when the request's turn has come
   * @throws DomainError for an unreadable form, or 'rate-limited'. JobTooSlow
   */
  verify(request: Request, loadKeys: () => Promise<StatementKeys>): Promise<Checked | undefined> {
    return this.#share.run(toNetwork(request.ip ?? 'unknown'), async () => {
      matchMediaType(request, formTypes);
      const form = await readBytes(request, { maxBytes: FORM_BYTES_AT_MOST, timeoutMs: FORM_TIMEOUT_MS });
      const outcome = await this.#thread.run({ form, keys: await loadKeys() });
      if ('refused' in outcome) throw new DomainError(outcome.refused, 'The form cannot be read.');
      return outcome.checked;
    });
  }

  close(): void {
    this.#thread.close();
  }
}

type VerifyQuery =
  | { readonly kind: 'certificates'; readonly ids: readonly string[] }
  | { readonly kind: 'statement'; readonly id: string };

const CERTIFICATE = /(?:^|_)([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})_(\d{1,38})(?:-(\d{1,38}))?$/i;

/**
 * Parses a query: a certificate as `<issuance>_<serial>`, the full id of a certificate or a range, or the id of a
 * statement. For a range, the first and the last certificate are looked up.
 */
export function parseQuery(typed: string): VerifyQuery | undefined {
  const text = typed.trim();
  const [, issuance, first, last] = CERTIFICATE.exec(text) ?? [];
  if (issuance !== undefined && first !== undefined) {
    const serials = last === undefined || last === first ? [first] : [first, last];
    return { kind: 'certificates', ids: serials.map((serial) => `${issuance}_${serial}`) };
  }
  return /^[\w-]{1,128}$/.test(text) ? { kind: 'statement', id: text } : undefined;
}

/** Result of a look-up. `status` is undefined if the certificate does not exist. */
export interface Found {
  readonly id: string;
  readonly status: CertificateStatus | undefined;
}

function renderStatus({ status, retiredAt, expirationDate }: CertificateStatus): Html {
  if (status === 'RETIRED') {
    const when = retiredAt === null ? undefined : html` on ${formatMoment(retiredAt)}`;
    return html`<strong class="ok">Retired</strong>${when}`;
  }
  if (status === 'EXPIRED') {
    const when = expirationDate === null ? undefined : html` on ${formatDay(expirationDate)}`;
    return html`<strong class="bad">Expired</strong>${when}`;
  }
  return html`<strong class="wait">In use</strong>: not retired`;
}

function renderStatusmentLink({ status, statementId }: CertificateStatus): Html {
  if (statementId !== null) return html`<a href="/r/${statementId}">Statement</a>`;
  return status === 'RETIRED' ? html`Only with its link` : html`None`;
}

const renderRow = ({ id, status }: Found): Html =>
  status === undefined
    ? html`<tr>
        <th scope="row" class="mono">${id}</th>
        <td colspan="5"><strong class="bad">Unknown</strong>: this register issued no such certificate</td>
      </tr>`
    : html`<tr>
        <th scope="row" class="mono">${id}</th>
        <td class="name">${renderStatus(status)}</td>
        <td>${renderStatusmentLink(status)}</td>
        <td class="number">${status.vintage}</td>
        <td class="mono">${status.productionFacilityCode}</td>
        <td>${formatCountry(status.countryCode)}</td>
      </tr>`;

const renderCertificates = (found: readonly Found[]): Html => html`
  ${wrapTable(
    'Certificates',
    html`<table>
      <caption>
        Certificates
      </caption>
      <thead>
        <tr>
          ${['Certificate', 'Status', 'Statement'].map((name) => html`<th scope="col">${name}</th>`)}
          <th scope="col" class="number">Vintage</th>
          ${['Facility', 'Country'].map((name) => html`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${found.map(renderRow)}
      </tbody>
    </table>`,
  )}
  ${found.length > 1 ? html`<p class="muted">For a range, only the first and last are shown.</p>` : undefined}
`;

const renderResult = ({ verdict, statement }: Checked): Html => {
  const about =
    statement &&
    html`· ${groupDigits(statement.volume)} t, retired on ${formatDay(statement.retiredAt)}.
      <a href="/r/${statement.id}">View the current statement</a>`;
  const isSandbox =
    statement?.isSandbox === true && html`<strong class="wait">From a sandbox: no CO₂ was removed.</strong>`;
  return html`${renderSignature(verdict)} ${isSandbox || undefined} ${about || undefined}`;
};

interface VerifyParts {
  readonly typed?: string;
  readonly found?: readonly Found[];
  readonly isInvalid?: boolean;
  readonly checked?: Checked;
}

/** Page with two forms: status of a certificate, and check of a statement. Both work without script. */
export function renderVerifyPage({ typed, found, isInvalid, checked }: VerifyParts): PageParts {
  const main = html`
    <h1>Verify</h1>
    <h2>Look up a certificate</h2>
    <form action="/verify" method="get">
      <label for="id">Certificate, range of certificates, or id of a statement</label>
      <div class="fields">
        <input
          id="id"
          name="id"
          type="text"
          required
          maxlength="400"
          autocomplete="off"
          spellcheck="false"
          value="${typed}"
          ${isInvalid ? html`aria-invalid="true" aria-describedby="id-fault"` : undefined}
        />
        <button>Look up</button>
      </div>
      ${
        isInvalid
          ? html`<p id="id-fault" class="bad">This is not the id of a certificate or statement. Check the spelling.</p>`
          : undefined
      }
    </form>
    <div role="status">${found && renderCertificates(found)}</div>
    <h2>Check the signature of a statement</h2>
    <form id="check" action="/verify" method="post">
      <label for="statement">Statement as JSON</label>
      <textarea id="statement" name="statement" required autocomplete="off" spellcheck="false">
${checked?.pasted}</textarea>
      <p hidden>
        <label for="file">or as a file</label> <input id="file" type="file" accept=".json,application/json" />
      </p>
      <button>Check signature</button>
    </form>
    <p id="result" role="status">${checked && renderResult(checked)}</p>
    <p class="muted">
      With JavaScript, your browser checks the signature and does not send the statement. The signature does not cover
      the visibility of the statement and of its beneficiary, which can change.
    </p>
  `;
  return { title: 'Verify a retirement', main, hasScript: true };
}
