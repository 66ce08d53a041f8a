/** Settings and dates that the served contract states, so that its readers see the limits of this installation. */
export interface Adaptation {
  /** 1000 in the contract file, which is also the maximum. */
  readonly selectionsAtMost: number;
  /** Examples of future dates are a year after this day. */
  readonly today: Date;
}

const SELECTIONS = 1_000;
/** Stands for a future date within two years in the contract file. */
const FUTURE_DATE = '2028-01-01T00:00:00.000Z';

const patterns = {
  yaml: new RegExp(`\\bmaxItems: ${SELECTIONS}\\b`, 'g'),
  json: new RegExp(`"maxItems":${SELECTIONS}\\b`, 'g'),
  prose: new RegExp(`\\b1 to ${SELECTIONS} selections\\b`, 'g'),
};

function inOneYear(today: Date): string {
  const year = today.getUTCFullYear() + 1;
  return `${year}-${String(today.getUTCMonth() + 1).padStart(2, '0')}-01T00:00:00.000Z`;
}

/** @param text contract as YAML or JSON */
export const adapted = (text: string, { selectionsAtMost, today }: Adaptation): string =>
  text
    .replaceAll(patterns.yaml, `maxItems: ${selectionsAtMost}`)
    .replaceAll(patterns.json, `"maxItems":${selectionsAtMost}`)
    .replaceAll(patterns.prose, `1 to ${selectionsAtMost} selections`)
    .replaceAll(FUTURE_DATE, inOneYear(today));
