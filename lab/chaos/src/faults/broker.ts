import type { RabbitMq } from '../fleet/servers.ts';
import { zonelessTarget, createGlobalFault, kill, noHealing, pause, type Fault, type Heal } from './fault.ts';

const SERVER = [zonelessTarget('RabbitMQ')];

const control = ({ running }: RabbitMq, ...words: [string, ...string[]]): Promise<void> => running.control(...words);

/** Sets a limit of the node so that it is always exceeded, and later back to the configured value. */
const alarm =
  (command: string, exceeded: readonly string[], usual: string): Fault['inject'] =>
  async ({ broker }): Promise<Heal> => {
    await control(broker, command, ...exceeded);
    return () => control(broker, command, usual);
  };

export const brokerFaults: readonly Fault[] = [
  createGlobalFault('broker-kill', SERVER, [0, 8], 2, ({ broker }) => kill(broker)),
  createGlobalFault('broker-pause', SERVER, [3, 12], 2, ({ broker }) => pause(broker)),
  createGlobalFault('broker-connections-closed', SERVER, [0, 0], 2, async ({ broker }) => {
    await control(broker, 'close_all_connections', '--global', 'chaos');
    return noHealing;
  }),
  createGlobalFault(
    'memory-alarm',
    SERVER,
    [3, 10],
    1,
    alarm('set_vm_memory_high_watermark', ['absolute', '1MB'], '0.4'),
  ),
  createGlobalFault('disk-alarm', SERVER, [3, 10], 1, alarm('set_disk_free_limit', ['100000GB'], '50MB')),
];
