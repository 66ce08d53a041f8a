import type { Demo, DemoKey, DemoTrader, connectPowers } from '@saleschannel/local';

/** Actions of an operator on account holders, at one replica. */
export type Operator = Pick<Awaited<ReturnType<typeof connectPowers>>, 'accountHolders'>;

/** A sales channel and the key of its user with all roles. */
export interface ChannelAccess {
  readonly id: string;
  readonly credentials: DemoKey;
  readonly traders: readonly DemoTrader[];
  /** Account holders whose certificates the channel sells. */
  readonly accountHolders: readonly string[];
}

/** The installation as its clients and its operator see it: public APIs only. */
export interface PublicInstallation {
  /**
   * Base URLs of all gateway replicas, unchanged by restarts. A client switches to another one after a failed
   * connection or a 5xx.
   */
  readonly gateways: readonly string[];
  /** Data for users with access tokens: `issuer`, `tokenEndpoint`, `audience` and the identity provider's clients. */
  readonly demo: Demo;
  readonly channels: readonly ChannelAccess[];
  /** Key of a registry that may issue to every account holder. */
  readonly registry: DemoKey;
  /** One per replica. */
  readonly operators: readonly Operator[];
  /** Address on which webhook receivers may listen. */
  readonly receiverHost: string;
}

/** Interval in which a fault was in effect, in milliseconds since the epoch. */
export interface FaultInterval {
  readonly kind: string;
  /** Whether it hits one replica or all of them. */
  readonly hits: 'one' | 'all';
  /** Such as `tasks-1` or `PostgreSQL`. */
  readonly target: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** A replica killed with SIGKILL, in milliseconds since the epoch. */
export interface Kill {
  readonly replica: string;
  readonly atMs: number;
}

/** Faults and kills of a run. */
export interface InjectedFaults {
  readonly intervals: readonly FaultInterval[];
  readonly kills: readonly Kill[];
}

export interface Recovery {
  readonly fault: FaultInterval;
  /** Time from the beginning of the fault to the first success of a later request. */
  readonly timeToFirstSuccessMs: number;
  /** Longest time without a success, from the beginning of the fault to the beginning of the next. */
  readonly longestStopMs: number;
  /** Kind of operation that stopped the longest. */
  readonly stopped: string;
}

/** Findings as sentences. A run passes if all five lists are empty and no stop exceeds its limit. */
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
  /** Transfers accepted before a replica on their path was killed, and ended after it. */
  readonly inFlight: number;
}
