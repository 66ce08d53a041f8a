import { services, type ServiceName } from '@saleschannel/installation';

export const modes = ['separate', 'all-in-one'] as const;
export type Mode = (typeof modes)[number];

/** A kind of process: a program, and the services that it hosts. */
export interface Unit {
  readonly program: string;
  readonly services: readonly ServiceName[];
}

/** Services without replicas here. The portal and the console are clients of the gateway and have to be built. */
const excluded: readonly ServiceName[] = ['dev-idp', 'sandbox', 'portal', 'console'];
const hosted: readonly ServiceName[] = services.map(({ name }) => name).filter((name) => !excluded.includes(name));

/** Program that hosts all services in one process. */
export const ALL_IN_ONE = 'all-in-one';

export const listUnits = (mode: Mode): Unit[] =>
  mode === 'separate'
    ? hosted.map((service) => ({ program: service, services: [service] }))
    : [{ program: ALL_IN_ONE, services: hosted }];

export const hosts = (unit: Unit, service: ServiceName): boolean => unit.services.includes(service);

/** Numbers of the permanent replicas. All first replicas form one zone, all second ones another. */
export const zones = [1, 2] as const;
export type Zone = (typeof zones)[number];

export const replicaName = ({ program }: Unit, number: number): string => `${program}-${number}`;
