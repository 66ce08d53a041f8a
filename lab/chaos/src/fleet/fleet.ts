import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import {
  addressVariable,
  brokerServices,
  calleesOf,
  databaseServices,
  variablesOf,
  type LocalInstallation,
  type ServiceName,
} from '@saleschannel/installation';
import { GRPC_RESOLVER } from '@saleschannel/bench/directory';
import { findFreePort } from '@saleschannel/local-backends';
import type { Kill } from '../contract.ts';
import { hosts, replicaName, zones, type Unit, type Zone, Replica } from './replicas.ts';
import { Network, type Caller } from './network.ts';

export interface FleetOptions {
  readonly place: LocalInstallation;
  readonly units: readonly Unit[];
  /** Folder of the services' sources. */
  readonly root: string;
  /** Folder for logs and clocks. */
  readonly folder: string;
}

/** Addresses on which a replica takes calls. */
interface Listening {
  readonly unit: Unit;
  readonly host: string;
  readonly gatewayPort: number | undefined;
}

/** Time that a withdrawn replica keeps serving, until others notice. */
const PRE_STOP_MS = 1_500;
const GATEWAY: ServiceName = 'gateway';
/** Head of the answer to an accepted transfer, with the address of its task. */
const ACCEPTED = /^HTTP\/1\.1 201 [^]{0,4000}\/inventory\/(?:trade|retire|offramp)\//;
const clockPreload = pathToFileURL(join(import.meta.dirname, '../clock-preload.ts')).href;

export const isAcceptedTransfer = (received: Buffer): boolean => ACCEPTED.test(received.toString('latin1'));

/** Name of a service's variable, which a process that hosts several services prefixes with the service. */
const variableName = (unit: Unit, service: ServiceName, variable: string): string =>
  unit.services.length === 1 ? variable : `${service.toUpperCase().replaceAll('-', '_')}__${variable}`;

/** The replicas of all units, and the network between them. */
export class Fleet {
  readonly network: Network;
  readonly gateways: string[] = [];
  readonly kills: Kill[] = [];
  readonly #options: FleetOptions;
  readonly #replicas = new Map<string, Replica>();
  readonly #callers = new Map<string, Caller>();
  readonly #onAccepted = new Set<() => void>();
  readonly #gatewayPorts = new Map<number, number>();

  private constructor(options: FleetOptions, network: Network) {
    this.#options = options;
    this.network = network;
  }

  static async open(options: FleetOptions): Promise<Fleet> {
    const fleet = new Fleet(options, await Network.open(options.place.ports));
    for (const number of zones) for (const unit of options.units) await fleet.#prepare(unit, number);
    return fleet;
  }

  get replicas(): readonly Replica[] {
    return [...this.#replicas.values()];
  }

  get units(): readonly Unit[] {
    return this.#options.units;
  }

  /** Addresses of the services in a zone, without proxies. */
  createPlace(zone: Zone): LocalInstallation {
    return { ...this.#options.place, host: this.network.toHost(zone) };
  }

  /** @throws Error if there is no such replica */
  replica(name: string): Replica {
    const replica = this.#replicas.get(name);
    if (!replica) throw new Error(`There is no replica ${name}.`);
    return replica;
  }

  listReplicas(service: ServiceName): Replica[] {
    return this.replicas.filter((replica) => replica.hosts(service));
  }

  /** Starts all stopped replicas. A replica is announced once it is ready for the first time. */
  async startAll(): Promise<void> {
    const isFront = (replica: Replica): boolean => replica.hosts(GATEWAY);
    await Promise.all(this.replicas.filter((each) => !isFront(each)).map((each) => this.start(each)));
    await Promise.all(this.replicas.filter(isFront).map((each) => this.start(each)));
  }

  async start(replica: Replica): Promise<void> {
    await replica.start();
    for (const service of replica.unit.services) this.network.announce(service, replica.number);
  }

  async kill(replica: Replica): Promise<void> {
    const atMs = Date.now();
    if (await replica.kill()) this.kills.push({ replica: replica.name, atMs });
  }

  /** Starts an additional replica. */
  async addThird(unit: Unit): Promise<Replica> {
    const number = zones.length + 1;
    const replica = this.#replicas.get(replicaName(unit, number)) ?? (await this.#prepare(unit, number));
    await this.start(replica);
    return replica;
  }

  /** Removes a replica from DNS, then stops it with SIGTERM. */
  async retire(replica: Replica): Promise<string | undefined> {
    for (const service of replica.unit.services) this.network.withdraw(service, replica.number);
    await delay(PRE_STOP_MS);
    const exit = await replica.stop();
    if (replica.number > zones.length) this.#replicas.delete(replica.name);
    return exit;
  }

  /** Calls back whenever a gateway has accepted a transfer. Returns the function that unsubscribes. */
  onAccepted(callback: () => void): () => void {
    this.#onAccepted.add(callback);
    return () => this.#onAccepted.delete(callback);
  }

  /** Shifts the clock of a replica, or corrects it with 0. The shift survives restarts. */
  shiftClock(replica: Replica, shiftMs: number): void {
    writeFileSync(this.#clockFilePath(replica.name), String(shiftMs));
    replica.readClock();
  }

  async stop(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.kill()));
    await this.network.stop();
  }

  async #prepare(unit: Unit, number: number): Promise<Replica> {
    const name = replicaName(unit, number);
    const caller = await this.#createCaller(unit, name);
    const host = this.network.toHost(number);
    const gatewayPort = hosts(unit, GATEWAY) ? await this.#openGateway(name, number, host) : undefined;
    const variables: Record<string, string> = {};
    for (const service of unit.services) {
      const own = await this.#buildVariables(service, caller, { unit, host, gatewayPort });
      for (const [variable, value] of Object.entries(own)) variables[variableName(unit, service, variable)] = value;
    }
    const { root, folder } = this.#options;
    Object.assign(variables, GRPC_RESOLVER, {
      NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import=${clockPreload}`,
      CHAOS_CLOCK_FILE: this.#clockFilePath(name),
    });
    const replica = new Replica({ unit, number, root, folder, variables });
    this.#replicas.set(name, replica);
    return replica;
  }

  async #createCaller(unit: Unit, name: string): Promise<Caller> {
    const known = this.#callers.get(name);
    if (known) return known;
    const callees = [...new Set(unit.services.flatMap(calleesOf))].filter(
      (callee) => !hosts(unit, callee) && this.units.some((other) => hosts(other, callee)),
    );
    const caller = { name, index: this.#callers.size + 1, callees };
    this.#callers.set(name, caller);
    await this.network.addCaller(caller, (service, number) => this.#replicaNameOf(service, number));
    return caller;
  }

  /** A gateway keeps its URL for its clients. */
  async #openGateway(name: string, number: number, host: string): Promise<number> {
    const known = this.#gatewayPorts.get(number);
    if (known !== undefined) return known;
    const port = await findFreePort();
    this.#gatewayPorts.set(number, port);
    const url = await this.network.addClients(name, `http://${host}:${port}`, (received) => {
      if (isAcceptedTransfer(received)) for (const callback of this.#onAccepted) callback();
    });
    if (number <= zones.length) this.gateways.push(url);
    return port;
  }

  async #buildVariables(
    service: ServiceName,
    caller: Caller,
    { unit, host, gatewayPort }: Listening,
  ): Promise<Record<string, string>> {
    const { place } = this.#options;
    const { name } = caller;
    const database = databaseServices.includes(service)
      ? await this.network.addServer(name, 'database', place.databaseUrlOf(service))
      : undefined;
    const broker = brokerServices.includes(service)
      ? await this.network.addServer(name, 'broker', place.brokerUrlOf(service))
      : undefined;
    const replicaPlace: LocalInstallation = {
      ...place,
      host,
      ports: { ...place.ports, ...(gatewayPort === undefined ? {} : { gateway: gatewayPort }) },
      databaseUrlOf: (program) => database ?? place.databaseUrlOf(program),
      brokerUrlOf: (program) => broker ?? place.brokerUrlOf(program),
    };
    const variables = variablesOf(service, replicaPlace);
    for (const callee of calleesOf(service)) {
      // Services in one process find each other in that process.
      if (caller.callees.includes(callee)) variables[addressVariable(callee)] = this.network.findTarget(caller, callee);
      else if (hosts(unit, callee)) delete variables[addressVariable(callee)];
    }
    return variables;
  }

  #replicaNameOf(service: ServiceName, number: number): string {
    const unit = this.units.find((each) => hosts(each, service));
    if (!unit) throw new Error(`No unit hosts ${service}.`);
    return replicaName(unit, number);
  }

  #clockFilePath(name: string): string {
    return join(this.#options.folder, `${name}.clock`);
  }
}
