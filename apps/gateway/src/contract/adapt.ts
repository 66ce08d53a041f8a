/**
 * The contract as this installation keeps it. What a setting lowers, and what depends on the day, is put into the
 * document, so that whoever reads it is told what holds.
 */
export interface Adaptation {
  /** The contract says 1000, which is also the most. */
  readonly selectionsAtMost: number;
  /** An example of a date to come is a year after this day. */
  readonly today: Date;
}

const SELECTIONS = 1_000;
/** How the contract writes a date that has to lie ahead, within two years. */
const DATE_AHEAD = '2028-01-01T00:00:00.000Z';

const patterns = {
  yaml: new RegExp(`\\bmaxItems: ${SELECTIONS}\\b`, 'g'),
  json: new RegExp(`"maxItems":${SELECTIONS}\\b`, 'g'),
  prose: new RegExp(`\\b1 to ${SELECTIONS} selections\\b`, 'g'),
};

function inOneYear(today: Date): string {
  const year = today.getUTCFullYear() + 1;
  return `${year}-${String(today.getUTCMonth() + 1).padStart(2, '0')}-01T00:00:00.000Z`;
}

/** @param text of the contract, as YAML or JSON */
export const adapted = (text: string, { selectionsAtMost, today }: Adaptation): string =>
  text
    .replaceAll(patterns.yaml, `maxItems: ${selectionsAtMost}`)
    .replaceAll(patterns.json, `"maxItems":${selectionsAtMost}`)
    .replaceAll(patterns.prose, `1 to ${selectionsAtMost} selections`)
    .replaceAll(DATE_AHEAD, inOneYear(today));
