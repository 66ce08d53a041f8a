type Members = Readonly<Record<string, unknown>> | null;

const LENGTH_AT_MOST = 160;
const NOTHING = '–';

const told = (value: unknown): string =>
  value === undefined || value === null ? NOTHING : typeof value === 'string' ? value : JSON.stringify(value);

/** What an act changed, member by member: `name: A → B`, or `name: B` of what is new. What stayed is left out. */
export function changesOf(before: Members, after: Members): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const changed = names.flatMap((name) => {
    const [from, to] = [told(before?.[name]), told(after?.[name])];
    if (from === to) return [];
    return from === NOTHING ? [`${name}: ${to}`] : [`${name}: ${from} → ${to}`];
  });
  const text = changed.join('; ');
  return text.length <= LENGTH_AT_MOST ? text : `${text.slice(0, LENGTH_AT_MOST)}…`;
}
