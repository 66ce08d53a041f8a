import { Agent, request } from 'node:http';

/** Measures how the cost of requests grows with their size, for tests that no route costs more than its input. */

export interface HostileRequest {
  readonly method: string;
  /** With a parameter as `{}`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Names of query parameters, each of which may be large. */
  readonly parameters?: readonly string[];
  /** A valid JSON body, each text of which may be large. */
  readonly example?: unknown;
  readonly body?: string;
}

/** A part of a request that may be large. */
interface Place {
  readonly name: string;
  /** Names of the patterns that are tried. Undefined: all of them. */
  readonly patterns?: readonly string[];
  /** Length of the smallest text, as it is sent. The others are twice and four times as long. */
  readonly characters: number;
  encode(text: string): string;
  fill(target: HostileRequest, encoded: string): HostileRequest;
}

/** What programs that backtrack, nest or compare each with each are slow at. */
const patterns: readonly (readonly [name: string, piece: string, end: string])[] = [
  ['letters', 'a', '!'],
  ['spaces', ' ', 'x'],
  ['line ends', '\n', 'x'],
  ['brackets', '[', ''],
  ['closing tags', '>\n', 'x'],
  ['numbers', '0,', ']'],
  ['digits', '1', 'x'],
  ['members', '"a":', '1'],
  ['escapes', '\\u0041', '"'],
  ['tildes', '~', ''],
  ['dots', '.', ''],
  ['commas', 'a,', ''],
  ['slashes', '//', '.'],
  ['pairs', 'a=1&', ''],
  ['percents', '%20', '%'],
];

const inHeader = (name: string): Place => ({
  name: `the header ${name}`,
  patterns: ['spaces', 'digits', 'dots', 'commas', 'slashes'],
  characters: 2_048,
  encode: (text) => text.replaceAll('\n', ' '),
  fill: (target, text) => ({ ...target, headers: { ...target.headers, [name]: text } }),
});
const inBody = (type: string, before: string, encode: Place['encode'], characters: number): Place => ({
  name: `a body of ${type}`,
  characters,
  encode,
  fill: (target, text) => ({
    ...target,
    headers: { ...target.headers, 'content-type': type },
    body: before + text,
  }),
});

const path: Place = {
  name: 'the path',
  characters: 1_900,
  encode: encodeURIComponent,
  fill: (target, text) => ({ ...target, path: target.path.replaceAll('{}', text) }),
};
const inQuery = (name: string): Place => ({
  name: `the query parameter ${name}`,
  characters: 1_900,
  encode: encodeURIComponent,
  fill: (target, text) => ({ ...target, path: `${target.path}?${encodeURIComponent(name)}=${text}` }),
});

/** A service may look at the beginning of a long text alone, or refuse it: what it costs shows in a shorter one. */
const BODY_CHARACTERS = [960, 3_840];

/** Stands for the text that is filled in. */
const BLANK = '\u0001';

/** The body with one of its texts blank, for each of them. */
function blanked(value: unknown): { readonly at: string; readonly body: unknown }[] {
  if (typeof value === 'string') return [{ at: '', body: BLANK }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    blanked(member).map(({ at, body }) => ({
      at: `/${key}${at}`,
      body: Array.isArray(value) ? value.with(Number(key), body) : { ...value, [key]: body },
    })),
  );
}

/** Places for the texts of a JSON body. */
const inTexts = (example: unknown): Place[] =>
  blanked(example).map(({ at, body }) => {
    const around = JSON.stringify(body);
    const blank = JSON.stringify(BLANK).slice(1, -1);
    return {
      name: `the text ${at}`,
      characters: 960,
      encode: (text) => JSON.stringify(text).slice(1, -1),
      fill: (target, text) => ({
        ...target,
        headers: { ...target.headers, 'content-type': 'application/json' },
        body: around.replace(blank, () => text),
      }),
    };
  });

/** The places in which a request to a path may be large. */
function placesIn({ method, path: pattern, parameters = ['id'], example }: HostileRequest): readonly Place[] {
  const isWriting = !['GET', 'HEAD', 'DELETE'].includes(method);
  return [
    ...(pattern.includes('{}') ? [path] : []),
    ...parameters.map(inQuery),
    ...['Accept', 'Cookie', 'If-None-Match'].map(inHeader),
    ...(isWriting
      ? [
          ...BODY_CHARACTERS.flatMap((characters) => [
            inBody('application/json', '', (text) => text, characters),
            inBody('application/x-www-form-urlencoded', 'statement=', encodeURIComponent, characters),
          ]),
          ...inTexts(example),
        ]
      : []),
  ];
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const send = (url: string, { method, path: target, headers, body }: HostileRequest): Promise<void> =>
  new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request(url + target.replaceAll('{}', 'a'), { method, agent, headers: { ...headers, ...length } });
    sent.on('response', (response) => response.resume().once('close', () => resolve()));
    // A server may close the connection of what it refuses.
    sent.on('error', (error: NodeJS.ErrnoException) =>
      ['ECONNRESET', 'EPIPE'].includes(error.code ?? 'none') ? resolve() : reject(error),
    );
    sent.end(body);
  });

/** What seems to cost much once is sent again: noise costs nothing the next time. */
const TRIES = 5;
/** What costs much each time is looked into with so many runs of each size. */
const RUNS = 15;
/**
 * From twice to four times the size the cost may rise by so many times its rise from once to twice the size: 2 for what
 * is linear, 4 for what is quadratic. What a request costs whatever its size does not count.
 */
const GROWTH_AT_MOST = 3.2;
/** A rise that is no larger, or is less than half of what it adds to, means nothing. In microseconds. */
const RISE_AT_LEAST = 700;

/** Least CPU time that a piece of work takes in this process, in microseconds: everything else only adds to it. */
async function costOf(runs: number, work: () => Promise<void>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, user + system);
  }
  return least;
}

/** Returns how much faster than before the cost rises from twice to four times the size. 0 when it does not rise. */
async function growthOf(work: (factor: number) => Promise<void>): Promise<number> {
  const least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const rise = (from: number, to: number): number => (least[to] ?? 0) - (least[from] ?? 0);
  for (let run = 0; run < RUNS; run += 1) {
    for (const [place, before] of least.entries())
      least[place] = Math.min(before, await costOf(1, () => work(2 ** place)));
    if (rise(1, 2) < Math.max(RISE_AT_LEAST, (least[1] ?? 0) / 2)) return 0;
  }
  return rise(1, 2) / Math.max(rise(0, 1), 1);
}

/** Fills a place with a pattern until it is `factor` times as long as the smallest text. */
function large(target: HostileRequest, place: Place, [, piece, end]: (typeof patterns)[number], factor: number) {
  const [repeated, last] = [place.encode(piece), place.encode(end)];
  const length = place.characters * factor - last.length;
  return place.fill(target, repeated.repeat(Math.floor(length / repeated.length)) + last);
}

/** Returns the patterns that cost noticeably more in a place than others do, or than nothing does. */
async function suspicious(url: string, target: HostileRequest, place: Place) {
  let least = await costOf(3, () => send(url, target));
  let left = patterns.filter(([name]) => place.patterns?.includes(name) ?? true);
  for (let attempt = 0; attempt < TRIES && left.length > 0; attempt += 1) {
    const costs = new Map<(typeof patterns)[number], number>();
    for (const pattern of left) costs.set(pattern, await costOf(1, () => send(url, large(target, place, pattern, 4))));
    least = Math.min(least, ...costs.values());
    left = left.filter((pattern) => (costs.get(pattern) ?? 0) - least >= RISE_AT_LEAST);
  }
  return left;
}

/**
 * Sends each request in growing sizes, one pattern in one place at a time.
 * @param url of a server in this process
 * @returns those whose cost grows faster than their size
 */
export async function findSuperLinear(url: string, targets: readonly HostileRequest[]): Promise<string[]> {
  const found: string[] = [];
  for (const target of targets) {
    for (const place of placesIn(target)) {
      for (const pattern of await suspicious(url, target, place)) {
        const work = (factor: number) => send(url, large(target, place, pattern, factor));
        // What is quadratic is so each time.
        const growth = Math.min(await growthOf(work), await growthOf(work));
        if (growth > GROWTH_AT_MOST)
          found.push(`${target.method} ${target.path}, ${pattern[0]} in ${place.name}: × ${growth.toFixed(1)}`);
      }
    }
  }
  return found;
}
