import { Agent, request } from 'node:http';
import { isMore } from './jest.ts';

/** Measures how the cost of requests grows with their size, for tests that every route costs linear time. */

export interface HostileRequest {
  readonly method: string;
  /** Path with parameters as `{}`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Query parameters, each of which is tested with large values. */
  readonly parameters?: readonly string[];
  /** A valid JSON body, each text and list of which is tested with large values. */
  readonly example?: unknown;
  /** Beginnings of bodies that are neither JSON nor forms, by media type. */
  readonly files?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A text that is repeated, and its ending. */
type Pattern = readonly [name: string, piece: string, end: string];

/** A part of a request that may be large. */
interface RequestPart {
  readonly name: string;
  readonly patterns: readonly Pattern[];
  /** Length of the smallest text as sent. The others are two and four times as long. */
  readonly characters: number;
  encode(text: string): string;
  fill(target: HostileRequest, encoded: string): HostileRequest;
}

/** Replaced with a three-character number that differs per repetition. */
const COUNTER = '\u0002';

/** Input that is slow for programs that backtrack, nest or compare all pairs. */
const texts: readonly Pattern[] = [
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

/** As written: separators are not escaped. */
const parameters: readonly Pattern[] = [
  ['equal parameters', 'a=1&', ''],
  ['parameters', `a${COUNTER}=1&`, ''],
  ['members in brackets', `a[b${COUNTER}]=1&`, ''],
  ['nested brackets', 'a[b]', '=1'],
  ['separators', '&', ''],
  ['equals signs', '=', ''],
];

const jsonBodies: readonly Pattern[] = [
  ['distinct members', `"a${COUNTER}":1,`, '"a":1}'],
  ['equal members', '"a":1,', '"a":1}'],
  ['nested members', '"a":{', ''],
];

const fileContents: readonly Pattern[] = [
  ...texts,
  ['quotes', '"', 'x'],
  ['doubled quotes', 'a""', '"'],
  ['empty cells', ',', ''],
  ['distinct lines', `a${COUNTER},b\r\n`, ''],
  ['objects', '{"a":1}\n', ''],
];

const headerValues: readonly Pattern[] = [
  ...texts.filter(([name]) => ['spaces', 'digits', 'dots', 'commas', 'slashes'].includes(name)),
  ['parameters of values', 'a;a=1,', ''],
  ['distinct pairs', `a${COUNTER}=1; `, ''],
  ['quoted values', '"a", ', '""'],
  ['escaped quotes', '\\"', '"'],
];

/** Headers that handlers read. */
const headersOfHandlers = ['Accept', 'Cookie', 'Idempotency-Key', 'If-None-Match', 'Last-Event-ID'];
/** Headers that the server reads before any handler, in the same way for all routes of a kind. */
const headersOfServers = [
  'Accept-Language',
  'Authorization',
  'Content-Type',
  'Forwarded',
  'If-Match',
  'Origin',
  'Prefer',
  'Traceparent',
  'Tracestate',
  'X-Forwarded-For',
  'X-Request-Id',
];
/** Routes of one kind share the method and the beginning of the path. */
const getKind = ({ method, path }: HostileRequest): string => `${method} ${path.split('/', 2).join('/')}`;

const unchanged = (text: string): string => text;

const inHeader = (name: string): RequestPart => ({
  name: `the header ${name}`,
  patterns: headerValues,
  characters: 2_048,
  encode: (text) => text.replaceAll('\n', ' '),
  fill: (target, text) => ({ ...target, headers: { ...target.headers, [name]: text } }),
});

interface Body {
  readonly type: string;
  readonly patterns: readonly Pattern[];
  readonly characters: number;
  readonly before?: string;
  readonly encode?: RequestPart['encode'];
}
const inBody = ({ type, patterns, characters, before = '', encode = unchanged }: Body): RequestPart => ({
  name: `a body of ${type}`,
  patterns,
  characters,
  encode,
  fill: (target, text) => ({
    ...target,
    headers: { ...target.headers, 'content-type': type },
    body: before + text,
  }),
});

const path: RequestPart = {
  name: 'the path',
  patterns: texts,
  characters: 1_900,
  encode: encodeURIComponent,
  fill: (target, text) => ({ ...target, path: target.path.replaceAll('{}', text) }),
};
const inQuery = (name: string): RequestPart => ({
  name: `the query parameter ${name}`,
  patterns: texts,
  characters: 1_900,
  encode: encodeURIComponent,
  fill: (target, text) => ({ ...target, path: `${target.path}?${encodeURIComponent(name)}=${text}` }),
});

/** Many parameters, with arbitrary and with known names. */
const inWholeQuery = (names: readonly string[]): RequestPart => ({
  name: 'the query',
  patterns: [
    ...parameters,
    ...names.map((name): Pattern => [`values of ${name}`, `${encodeURIComponent(name)}=a&`, '']),
  ],
  characters: 1_900,
  encode: unchanged,
  fill: (target, text) => ({ ...target, path: `${target.path}?${text}` }),
});

/** A service may read only the beginning of a long text, or reject it. A shorter one shows its cost. */
const BODY_CHARACTERS = [960, 3_840];

/** Replaced with the generated text. */
const BLANK = '\u0001';

interface Blanked {
  readonly at: string;
  /** The original value. */
  readonly was: unknown;
  readonly body: unknown;
}

/** Returns the body with each of its texts and lists replaced by a blank in turn. */
function blanked(value: unknown): Blanked[] {
  if (typeof value === 'string') return [{ at: '', was: value, body: BLANK }];
  if (typeof value !== 'object' || value === null) return [];
  const parts = Object.entries(value).flatMap(([key, member]) =>
    blanked(member).map(({ at, was, body }) => ({
      at: `/${key}${at}`,
      was,
      body: Array.isArray(value) ? value.with(Number(key), body) : { ...value, [key]: body },
    })),
  );
  return Array.isArray(value) ? [{ at: '', was: value, body: BLANK }, ...parts] : parts;
}

/** Contents of a large list: its first item repeated, and others. */
function itemsLike([first]: readonly unknown[]): Pattern[] {
  const item = JSON.stringify(first ?? 'a');
  return [
    ['equal items', `${item},`, `${item}]`],
    ['distinct items', `"a${COUNTER}",`, '"a"]'],
  ];
}

/** Places for the texts and lists of a JSON body. */
const inParts = (example: unknown): RequestPart[] =>
  blanked(example).map(({ at, was, body }) => {
    const around = JSON.stringify(body);
    const blank = JSON.stringify(BLANK);
    const [before, isList] = Array.isArray(was) ? ['[', true] : ['"', false];
    return {
      name: `the ${isList ? 'list' : 'text'} ${at}`,
      patterns: Array.isArray(was) ? itemsLike(was) : texts,
      characters: isList ? 3_600 : 960,
      encode: isList ? unchanged : (text) => JSON.stringify(text).slice(1, -1),
      fill: (target, text) => ({
        ...target,
        headers: { ...target.headers, 'content-type': 'application/json' },
        body: around.replace(blank, () => before + text + (isList ? '' : '"')),
      }),
    };
  });

const FORM = 'application/x-www-form-urlencoded';

/** Bodies of all media types, in sizes that a service reads. */
const inBodies = (files: Readonly<Record<string, string>>): RequestPart[] =>
  BODY_CHARACTERS.flatMap((characters) => [
    inBody({ type: 'application/json', patterns: texts, characters }),
    inBody({ type: 'application/json', patterns: jsonBodies, characters, before: '{' }),
    inBody({ type: FORM, patterns: texts, characters, before: 'statement=', encode: encodeURIComponent }),
    inBody({ type: FORM, patterns: parameters, characters }),
    ...Object.entries(files).map(([type, before]) => inBody({ type, patterns: fileContents, characters, before })),
  ]);

/** Places in which a request to a path may be large. */
function listParts(
  { method, path: pattern, parameters: names = ['id'], example, files = {} }: HostileRequest,
  headers: readonly string[],
): RequestPart[] {
  const isWriting = !['GET', 'HEAD', 'DELETE'].includes(method);
  return [
    ...(pattern.includes('{}') ? [path] : []),
    inWholeQuery(names),
    ...names.map(inQuery),
    ...headers.map(inHeader),
    ...(isWriting ? [...inBodies(files), ...inParts(example)] : []),
  ];
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const send = (url: string, { method, path: target, headers, body }: HostileRequest): Promise<void> =>
  new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request(url + target.replaceAll('{}', 'a'), { method, agent, headers: { ...headers, ...length } });
    sent.on('response', (response) => response.resume().once('close', () => resolve()));
    // A server may close the connection of a rejected request.
    sent.on('error', (error: NodeJS.ErrnoException) =>
      ['ECONNRESET', 'EPIPE'].includes(error.code ?? 'none') ? resolve() : reject(error),
    );
    sent.end(body);
  });

/** Retries of a suspicious measurement: noise does not repeat. */
const TRIES = 5;
/** Runs per size for measurements that stay suspicious. */
const RUNS = 15;
/**
 * The increase in cost from twice to four times the size may be this multiple of the increase from once to twice the
 * size: 2 is linear, 4 is quadratic. Fixed costs of a request do not count.
 */
const GROWTH_AT_MOST = 3.2;
/** Smaller increases, or less than half of the base cost, are ignored. In microseconds. */
const RISE_AT_LEAST = 700;

/** Sizes to compare. */
const FACTORS = [1, 2, 4];

/** Minimum CPU time of the work in this process, in microseconds. Everything else only adds to the minimum. */
async function measureCost(runs: number, work: () => Promise<void>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, user + system);
  }
  return least;
}

/**
 * Ratio of the increases in cost from twice to four times and from once to twice the size. 0 if it does not increase.
 */
async function measureGrowth(work: (size: number) => Promise<void>): Promise<number> {
  const least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const rise = (from: number, to: number): number => (least[to] ?? 0) - (least[from] ?? 0);
  for (let run = 0; run < RUNS; run += 1) {
    for (const [place, before] of least.entries())
      least[place] = Math.min(before, await measureCost(1, () => work(place)));
    if (rise(1, 2) < Math.max(RISE_AT_LEAST, (least[1] ?? 0) / 2)) return 0;
  }
  return rise(1, 2) / Math.max(rise(0, 1), 1);
}

/** Quadratic cost repeats, so the first measurement without it ends the search. */
async function measureLeastGrowth(work: (size: number) => Promise<void>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < TRIES && least > GROWTH_AT_MOST; attempt += 1)
    least = Math.min(least, await measureGrowth(work));
  return least;
}

/** Fills a place with a pattern until it is `factor` times as long as the smallest text. */
function large(target: HostileRequest, place: RequestPart, [, piece, end]: Pattern, factor: number): HostileRequest {
  const encoded = (index: number): string =>
    place.encode(piece.replaceAll(COUNTER, index.toString(36).padStart(3, '0')));
  const last = place.encode(end);
  const count = Math.floor((place.characters * factor - last.length) / encoded(0).length);
  return place.fill(target, Array.from({ length: count }, (_, index) => encoded(index)).join('') + last);
}

/**
 * Returns the patterns that cost noticeably more in a place than others or than none.
 * @param cost of the request without a pattern
 */
async function suspicious(
  url: string,
  target: HostileRequest,
  place: RequestPart,
  cost: number,
): Promise<readonly Pattern[]> {
  let least = cost;
  let left = place.patterns;
  for (let attempt = 0; attempt < TRIES && left.length > 0; attempt += 1) {
    const costs = new Map<Pattern, number>();
    for (const pattern of left) {
      const filled = large(target, place, pattern, 4);
      costs.set(pattern, await measureCost(1, () => send(url, filled)));
    }
    least = Math.min(least, ...costs.values());
    left = left.filter((pattern) => (costs.get(pattern) ?? 0) - least >= RISE_AT_LEAST);
  }
  return left;
}

/** Requests that the server treats alike before handlers, including their bodies. */
const getShape = (target: HostileRequest): string =>
  [getKind(target), target.path.includes('{}'), target.example !== undefined, ...Object.keys(target.files ?? {})].join(
    ' ',
  );

const requestsToTry = (targets: readonly HostileRequest[]): readonly HostileRequest[] =>
  isMore ? targets : [...Map.groupBy(targets, getShape).values()].flatMap((some) => some.slice(0, 1));

/**
 * Sends one request of each kind in growing sizes, one pattern in one place at a time; in `npm run test:more` requests
 * to all routes.
 * @param url of a server in this process
 * @returns requests whose cost grows faster than their size
 */
export async function findSuperLinear(url: string, targets: readonly HostileRequest[]): Promise<string[]> {
  const found: string[] = [];
  const kinds = new Set<string>();
  for (const target of requestsToTry(targets)) {
    const isNew = kinds.size < kinds.add(getKind(target)).size;
    const cost = await measureCost(3, () => send(url, target));
    for (const place of listParts(target, [...headersOfHandlers, ...(isNew ? headersOfServers : [])])) {
      for (const pattern of await suspicious(url, target, place, cost)) {
        const requests = FACTORS.map((factor) => large(target, place, pattern, factor));
        const work = (size: number) => send(url, requests[size] ?? target);
        const growth = await measureLeastGrowth(work);
        if (growth > GROWTH_AT_MOST)
          found.push(`${target.method} ${target.path}, ${pattern[0]} in ${place.name}: × ${growth.toFixed(1)}`);
      }
    }
  }
  return found;
}
