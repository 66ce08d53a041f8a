import { productionServices, type ALL_IN_ONE, type ServiceName } from '@saleschannel/installation';

/**
 * Network of proxy, portal and gateway. It is outside of the ranges that Docker assigns by default
 * (172.17.0.0 to 172.31.255.255 and 192.168.0.0/16).
 */
export const EDGE_SUBNET = '172.16.86.0/24';

/** True if production has two replicas of a service. The console runs only while it is needed. */
export const hasTwoReplicas = (service: ServiceName): boolean =>
  service !== 'console' && productionServices.some(({ name }) => name === service);

export const secondReplica = (service: ServiceName | typeof ALL_IN_ONE): string => `${service}-2`;
