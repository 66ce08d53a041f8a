import { Agent, request } from 'node:http';

/** Measures how the cost of requests grows with their size, for tests that no route costs more than its input. */

/** A way in which a request is large. */
interface Place {
  readonly name: string;
  /** Its sizes are this, twice and four times as many characters. */
  readonly characters: number;
  fill(target: HostileRequest, text: string): HostileRequest;
}

export interface HostileRequest {
  readonly method: string;
  /** With a parameter as `{}`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
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
  characters: 2_048,
  fill: (target, text) => ({ ...target, headers: { ...target.headers, [name]: text.replaceAll('\n', ' ') } }),
});
const inBody = (type: string, before: string): Place => ({
  name: `a body of ${type}`,
  characters: 8_192,
  fill: (target, text) => ({
    ...target,
    headers: { ...target.headers, 'content-type': type },
    body: before + (type.endsWith('urlencoded') ? encodeURIComponent(text) : text),
  }),
});

const path: Place = {
  name: 'the path',
  characters: 2_000,
  fill: (target, text) => ({
    ...target,
    path: target.path.replaceAll('{}', encodeURIComponent(text).slice(0, text.length)),
  }),
};
const query: Place = {
  name: 'the query',
  characters: 2_000,
  fill: (target, text) => ({ ...target, path: `${target.path}?id=${text.replaceAll(/[^!-~]/g, '+')}` }),
};

/** The places in which a request to a path may be large. */
function placesIn({ method, path: pattern }: HostileRequest): readonly Place[] {
  const always = [query, inHeader('Accept'), inHeader('Cookie'), inHeader('If-None-Match')];
  const isWriting = !['GET', 'HEAD', 'DELETE'].includes(method);
  return [
    ...(pattern.includes('{}') ? [path] : []),
    ...always,
    ...(isWriting ? [inBody('application/json', ''), inBody('application/x-www-form-urlencoded', 'statement=')] : []),
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

/** A suspicion is looked into with more runs. */
const RUNS = [1, 5, 5];
/** Four times the size may cost so much more: 4 for what is linear, 16 for what is quadratic. */
const GROWTH_AT_MOST = 9;

/** Median of the CPU time that a piece of work takes in this process, in microseconds. */
async function costOf(runs: number, work: () => Promise<void>): Promise<number> {
  const costs: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    costs.push(user + system);
  }
  return costs.toSorted((a, b) => a - b)[Math.floor(runs / 2)] ?? 0;
}

/** By which factor the cost of work grows from a size to four times as much. Noise only adds: the least counts. */
async function growthOf(work: (factor: number) => Promise<void>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (const runs of RUNS) {
    const [one, two, four] = [
      await costOf(runs, () => work(1)),
      await costOf(runs, () => work(2)),
      await costOf(runs, () => work(4)),
    ];
    // What is quadratic is so in both halves.
    least = Math.min(least, four / one, (four / two) ** 2);
    if (least <= GROWTH_AT_MOST) break;
  }
  return least;
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
      for (const [name, piece, end] of patterns) {
        const requests = new Map(
          [1, 2, 4].map((factor) => {
            const text = piece.repeat(Math.ceil((place.characters * factor) / piece.length)) + end;
            return [factor, place.fill(target, text)] as const;
          }),
        );
        const growth = await growthOf(async (factor) => {
          const sent = requests.get(factor);
          if (sent) await send(url, sent);
        });
        if (growth > GROWTH_AT_MOST)
          found.push(`${target.method} ${target.path}, ${name} in ${place.name}: × ${growth.toFixed(1)}`);
      }
    }
  }
  return found;
}
