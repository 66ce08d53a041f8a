import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { LocalInstallation, ServiceName } from '@saleschannel/installation';
import { findFreePort } from '@saleschannel/local-backends';
import { supervise, type SupervisedProcess } from '@saleschannel/local';
import { request } from 'undici';
import { startBalancer, type Balancer } from '../load/balancer.ts';
import { GRPC_RESOLVER, startDirectory, type Directory } from './directory.ts';
import type { Release } from './release.ts';

/** One process of a service. */
export interface Replica {
  readonly service: ServiceName;
  readonly release: Release;
  /** Number among all replicas that the service has ever had. */
  readonly number: number;
  readonly process: SupervisedProcess;
  readonly host: string;
  readonly port: number;
}

export interface FleetOptions {
  readonly place: LocalInstallation;
  /** Folder for the logs of all replicas. */
  readonly folder: string;
  /** Time that a withdrawn replica keeps serving, as in the charts. */
  readonly preStopSeconds: number;
  /** Reports a fault of a process. */
  onFault(fault: string): void;
}

/** Limits of the start and of the stop, as in Kubernetes. */
const READY_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 40_000;
const LOCALHOST = '127.0.0.1';
/** Clients reach it by HTTP, through a balancer. */
const FRONT: ServiceName = 'gateway';

/**
 * The replicas of all services on one machine. Each replica has its own address in 127.0.0.0/8, and a service has the
 * same port at all of them, as in a cluster.
 */
export class Fleet {
  readonly #options: FleetOptions;
  readonly #directory: Directory;
  readonly #front: Balancer;
  readonly #replicas: Replica[] = [];
  readonly #started = new Map<ServiceName, number>();
  /** Random, so that two systems on one machine do not collide. */
  readonly #net = `127.${64 + Math.floor(Math.random() * 64)}.${Math.floor(Math.random() * 256)}`;

  private constructor(options: FleetOptions, directory: Directory, front: Balancer) {
    this.#options = options;
    this.#directory = directory;
    this.#front = front;
  }

  static async open(options: FleetOptions): Promise<Fleet> {
    return new Fleet(options, await startDirectory(), await startBalancer([]));
  }

  get baseUrl(): string {
    return `http://${LOCALHOST}:${this.#front.port}`;
  }

  /** Addresses of each service's first replica, for work before any of them is replaced. */
  get firstPlace(): LocalInstallation {
    return { ...this.#options.place, host: `${this.#net}.1` };
  }

  /** Services with a replica. */
  get services(): ServiceName[] {
    return [...new Set(this.#replicas.map(({ service }) => service))];
  }

  listReplicas(service: ServiceName): readonly Replica[] {
    return this.#replicas.filter((replica) => replica.service === service);
  }

  /** Starts another replica. Others find it once it is ready. */
  async add(service: ServiceName, release: Release): Promise<Replica> {
    const number = (this.#started.get(service) ?? 0) + 1;
    this.#started.set(service, number);
    const host = service === FRONT ? LOCALHOST : `${this.#net}.${number}`;
    const port = service === FRONT ? await findFreePort() : (this.#options.place.ports[service] ?? 0);
    const process = supervise({
      name: service,
      variables: this.#buildVariables(service, release, host, port),
      format: 'json',
      root: release.root,
      logFile: join(this.#options.folder, `${service}-${number}.log`),
      readyLimitMs: READY_LIMIT_MS,
      stopLimitMs: STOP_LIMIT_MS,
    });
    const replica: Replica = { service, release, number, process, host, port };
    this.#replicas.push(replica);
    await process.start();
    if (service === FRONT) this.#front.add(port);
    else this.#directory.add(service, host);
    return replica;
  }

  /** Replaces a replica as a rollout does: its successor is ready first. */
  async replace(replica: Replica, release: Release): Promise<Replica> {
    const successor = await this.add(replica.service, release);
    await this.remove(replica);
    return successor;
  }

  /** Withdraws a replica, then asks it to stop. */
  async remove(replica: Replica): Promise<void> {
    const { service, number, process, host, port } = replica;
    if (service === FRONT) this.#front.remove(port);
    else this.#directory.remove(service, host);
    await delay(this.#options.preStopSeconds * 1_000);
    const exit = await process.stop();
    this.#replicas.splice(this.#replicas.indexOf(replica), 1);
    const name = `${service} ${number} of ${replica.release.name}`;
    if (process.crashes > 0) this.#options.onFault(`${name} exited unexpectedly ${process.crashes} times`);
    if (exit !== 'exit code 0') this.#options.onFault(`${name} was asked to stop, but ended with ${exit ?? 'nothing'}`);
  }

  /** RPCs that a replica has executed so far, according to its metrics. */
  async countCalls({ service, host }: Replica): Promise<number> {
    const { body } = await request(`http://${host}:${this.#options.place.metricsPorts?.[service]}/metrics`);
    const counts = (await body.text()).matchAll(/^rpc_server_\w*duration\w*_count(?:\{.*\})? (\d+)/gm);
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  }

  /** Stops the gateways first, then all others at once. */
  async stop(): Promise<void> {
    const all = this.#replicas.splice(0);
    const isFront = ({ service }: Replica): boolean => service === FRONT;
    await Promise.all(all.filter(isFront).map(({ process }) => process.stop()));
    await Promise.all(all.map(({ process }) => process.stop()));
    await this.#front.stop();
    this.#directory.close();
  }

  #buildVariables(service: ServiceName, release: Release, host: string, port: number): Record<string, string> {
    const { variablesOf, calleesOf, addressVariable } = release.installation;
    const { place } = this.#options;
    const replicaPlace: LocalInstallation = {
      ...place,
      host,
      ports: { ...place.ports, [service]: port },
      settings: { ...place.settings, METRICS_HOST: host },
    };
    const addresses = calleesOf(service).map((callee) => [
      addressVariable(callee),
      this.#directory.toTarget(callee, place.ports[callee] ?? 0),
    ]);
    return { ...variablesOf(service, replicaPlace), ...Object.fromEntries(addresses), ...GRPC_RESOLVER };
  }
}
