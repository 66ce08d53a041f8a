/** In a timer, because an earlier one tells the page that an act has ended. */
const afterThePage = (open: () => void): void => void setTimeout(open);

/**
 * Lets an act through once at a time. It closes in the same tick in which the act begins, before anything is drawn
 * again, so a second click has nothing to start.
 */
export class Latch {
  readonly #underWay = new Set<string>();
  readonly #later: (open: () => void) => void;

  constructor(later = afterThePage) {
    this.#later = later;
  }

  /**
   * @param name acts with different names do not wait for one another
   * @returns undefined when the act is under way already: it was not started again
   */
  pass<T>(name: string, act: () => Promise<T>): Promise<T> | undefined {
    if (this.#underWay.has(name)) return undefined;
    this.#underWay.add(name);
    const open = (): void => this.#later(() => this.#underWay.delete(name));
    const acting = act();
    acting.then(open, open);
    return acting;
  }
}
