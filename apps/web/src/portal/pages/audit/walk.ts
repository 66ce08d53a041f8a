export interface Part {
  readonly text: string;
  /** Where the next part begins. Undefined: there is none. */
  readonly next: string | undefined;
}

export interface Walked {
  readonly texts: readonly string[];
  /** False: there is more than was asked for. */
  readonly isWhole: boolean;
}

/** Reads a list part by part, to its end or as many parts as are wanted. An empty part ends it too. */
export async function walk(read: (after: string | undefined) => Promise<Part>, partsAtMost: number): Promise<Walked> {
  const texts: string[] = [];
  let after: string | undefined;
  while (texts.length < partsAtMost) {
    const { text, next } = await read(after);
    if (text === '') return { texts, isWhole: true };
    texts.push(text);
    if (next === undefined) return { texts, isWhole: true };
    after = next;
  }
  return { texts, isWhole: false };
}

/** One file of files that each begin with the same header record. */
export const joinedCsv = (texts: readonly string[]): string =>
  texts.map((text, at) => (at === 0 ? text : text.slice(text.indexOf('\r\n') + 2))).join('');
