import { matchMediaType, toNetwork, readBytes } from '@saleschannel/edge';
import { DomainError, type ErrorCode } from '@saleschannel/errors';
import { FairShare } from '@saleschannel/runtime';
import type { Request } from 'express';
import { JobThread } from '../../threads/job-thread.ts';
import type { StatementKeys } from '../statement.ts';
import type { Verdict } from '../statement-page.ts';

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
