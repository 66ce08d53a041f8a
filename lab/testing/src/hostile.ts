import { Agent, request } from 'node:http';
import { fillPart, listParts, type HostileRequest, type Pattern, type RequestPart } from './hostile-input.ts';
import { isMore } from './jest.ts';

/** Arguments with which an Express router registers a route. */
interface Registered {
  readonly path: unknown;
  readonly methods: Readonly<Record<string, unknown>>;
}

/** The prototype of all routers: `express.Router.prototype`. */
interface RouterPrototype {
  route(path: unknown): Registered;
}

export interface RouteTable {
  /** Routes registered since the start of recording, with parameters as `{}`. */
  routes(): { readonly method: string; readonly path: string }[];
  restore(): void;
}

/** Records the routes that Express routers register, so that tests cover new routes without a list. */
export function recordRoutes(prototype: object): RouteTable {
  const routers = prototype as RouterPrototype;
  const route = routers.route;
  const registered: Registered[] = [];
  routers.route = function record(this: unknown, path: unknown) {
    const created = route.call(this as RouterPrototype, path);
    registered.push(created);
    return created;
  };
  return {
    routes: () =>
      registered.flatMap(({ path, methods }) =>
        Object.keys(methods)
          .filter((name) => name !== '_all')
          .map((name) => ({
            method: name.toUpperCase(),
            path: String(path).replaceAll(/\{?[:*]\w+\}?/g, '{}'),
          })),
      ),
    restore: () => void (routers.route = route),
  };
}

/** Measures how the cost of requests grows with their size, for tests that every route costs linear time. */

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

/** Routes of one kind share the method and the beginning of the path. */
const getKind = ({ method, path }: HostileRequest): string => `${method} ${path.split('/', 2).join('/')}`;

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

/** Minimum CPU time of the work in this process, in microseconds. Other activity only increases a measurement. */
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

/** Smallest growth of several measurements. Stops at the first that is linear, because quadratic cost repeats. */
async function measureLeastGrowth(work: (size: number) => Promise<void>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < TRIES && least > GROWTH_AT_MOST; attempt += 1)
    least = Math.min(least, await measureGrowth(work));
  return least;
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
      const filled = fillPart(target, place, pattern, 4);
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
    for (const place of listParts(target, { withServerHeaders: isNew })) {
      for (const pattern of await suspicious(url, target, place, cost)) {
        const requests = FACTORS.map((factor) => fillPart(target, place, pattern, factor));
        const work = (size: number) => send(url, requests[size] ?? target);
        const growth = await measureLeastGrowth(work);
        if (growth > GROWTH_AT_MOST)
          found.push(`${target.method} ${target.path}, ${pattern[0]} in ${place.name}: × ${growth.toFixed(1)}`);
      }
    }
  }
  return found;
}
