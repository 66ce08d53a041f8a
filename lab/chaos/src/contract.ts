import type { Demo, DemoKey, DemoTrader, powersOf } from '@saleschannel/local';

/** What an operator of the installation may say of account holders, at one replica. */
export type Operator = Pick<Awaited<ReturnType<typeof powersOf>>, 'accountHolders'>;

/** A sales channel and the key of its user who holds all roles. */
export interface ChannelAccess {
  readonly id: string;
  readonly credentials: DemoKey;
  readonly traders: readonly DemoTrader[];
  /** Account holders whose certificates the channel sells. */
  readonly accountHolders: readonly string[];
}

/** The installation as its clients and its operator see it. Nothing here reaches behind their APIs. */
export interface PublicWorld {
  /**
   * Base URLs of all replicas of the gateway, the same over restarts. A client tries another one when a connection
   * fails or the answer is 5xx.
   */
  readonly gateways: readonly string[];
  /** Users with access tokens: `issuer`, `tokenEndpoint`, `audience` and the clients of the identity provider. */
  readonly demo: Demo;
  readonly channels: readonly ChannelAccess[];
  /** Key of a registry, which may issue to every account holder. */
  readonly registry: DemoKey;
  /** One for each replica. */
  readonly operators: readonly Operator[];
  /** Where webhook receivers may listen. */
  readonly receiverHost: string;
}

/** A fault while it was in effect, in milliseconds since the epoch. */
export interface FaultInterval {
  readonly kind: string;
  /** One replica, or every one there is. */
  readonly hits: 'one' | 'all';
  /** For instance `tasks-1` or `PostgreSQL`. */
  readonly target: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** The end that SIGKILL made of a replica, in milliseconds since the epoch. */
export interface Kill {
  readonly replica: string;
  readonly atMs: number;
}

/** What was done to the installation. */
export interface Injected {
  readonly intervals: readonly FaultInterval[];
  readonly kills: readonly Kill[];
}

/** Every request with its key and its outcome: in memory, and as NDJSON in the run's folder. */
export interface Journal {
  readonly file: string;
}

export interface Workload {
  /** Resolves when every kind of client is at work. */
  start(): Promise<void>;
  /** Stops new work, and repeats every unknown outcome with its own Idempotency-Key until it is known. */
  finish(deadlineMs: number): Promise<void>;
  readonly journal: Journal;
}

export interface WorkloadOptions {
  readonly seed: number;
  /** Where the journal is written. */
  readonly folder: string;
  log(line: string): void;
}

export type CreateWorkload = (world: PublicWorld, options: WorkloadOptions) => Workload;

export interface Recovery {
  readonly fault: FaultInterval;
  /** From the beginning of the fault to the first success of a request that was sent after it. */
  readonly timeToFirstSuccessMs: number;
  /** Longest time without a success, from the beginning of the fault until the next one begins. */
  readonly longestStopMs: number;
  /** Kind of operation that stopped for so long. */
  readonly stopped: string;
}

/** Findings are sentences for people. A run is good when all five lists are empty and no stop exceeds its limit. */
export interface Verdict {
  readonly operations: Readonly<Record<string, number>>;
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly reordered: readonly string[];
  readonly missed: readonly string[];
  readonly wrong: readonly string[];
  readonly errorsByKind: Readonly<Record<string, number>>;
  readonly longestStopMs: number;
  readonly recoveries: readonly Recovery[];
  /** Transfers that were accepted before a kill of what they lead through, and ended after it. */
  readonly underWay: number;
}

export type CheckEverything = (world: PublicWorld, journal: Journal, injected: Injected) => Promise<Verdict>;
