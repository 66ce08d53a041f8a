import { DomainError } from '@saleschannel/errors';

export interface Operator {
  /** Claim `sub` of their identity provider: their name in the audit trail. */
  readonly name: string;
}

/** Operators, as subjects of the console's identity provider. */
export class Operators {
  readonly #issuer: string;
  readonly #subjects: ReadonlySet<string>;

  constructor(issuer: string, subjects: readonly string[]) {
    this.#issuer = new URL(issuer).href;
    this.#subjects = new Set(subjects);
  }

  /**
   * Compares the issuer too: sessions survive a change of the provider, where the subject may be another person.
   * @throws DomainError 'forbidden' for all other users
   */
  require({ issuer, subject }: { readonly issuer: string; readonly subject: string }): Operator {
    if (URL.parse(issuer)?.href === this.#issuer && this.#subjects.has(subject)) return { name: subject };
    throw new DomainError('forbidden', 'You are not an operator: CONSOLE_OPERATORS does not list you.');
  }
}
