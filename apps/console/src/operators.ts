import { DomainError } from '@saleschannel/errors';

/** Who may use the console. */
export interface Operator {
  /** What their identity provider calls them, the claim `sub`: their name in the audit trail. */
  readonly name: string;
}

/** Those who may use the console, by the subjects of its one identity provider. */
export class Operators {
  readonly #subjects: ReadonlySet<string>;

  constructor(subjects: readonly string[]) {
    this.#subjects = new Set(subjects);
  }

  /** @throws DomainError 'forbidden' for anybody else who is signed in */
  require(subject: string): Operator {
    if (this.#subjects.has(subject)) return { name: subject };
    throw new DomainError('forbidden', 'You are not among the operators of this installation.');
  }
}
