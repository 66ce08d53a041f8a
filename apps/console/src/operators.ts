import { DomainError } from '@saleschannel/errors';

/** Who may use the console. */
export interface Operator {
  /** What their identity provider calls them, the claim `sub`: their name in the audit trail. */
  readonly name: string;
}

/** Those who may use the console, by the subjects of its one identity provider. */
export class Operators {
  readonly #issuer: string;
  readonly #subjects: ReadonlySet<string>;

  constructor(issuer: string, subjects: readonly string[]) {
    this.#issuer = new URL(issuer).href;
    this.#subjects = new Set(subjects);
  }

  /**
   * A session outlives a change of the provider. At another one the same subject is somebody else.
   * @throws DomainError 'forbidden' for anybody else who is signed in
   */
  require({ issuer, subject }: { readonly issuer: string; readonly subject: string }): Operator {
    if (URL.parse(issuer)?.href === this.#issuer && this.#subjects.has(subject)) return { name: subject };
    throw new DomainError('forbidden', 'You are not an operator: CONSOLE_OPERATORS does not list you.');
  }
}
