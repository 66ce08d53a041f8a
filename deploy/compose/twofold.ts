import { productionServices, type ALL_IN_ONE, type ServiceName } from '@saleschannel/installation';

/** True if production has two replicas of a service. The console runs only while it is needed. */
export const isTwofold = (service: ServiceName): boolean =>
  service !== 'console' && productionServices.some(({ name }) => name === service);

export const secondOf = (service: ServiceName | typeof ALL_IN_ONE): string => `${service}-2`;
