import { everywhere, nothingToHeal, type Fault } from './fault.ts';

const SERVER = everywhere('RabbitMQ');
/** Those of the configuration that the node starts with. */
const USUAL = { memory: '0.4', disk: '50MB' } as const;
const EVERYTHING = { memory: ['absolute', '1MB'], disk: '100000GB' } as const;

export const brokerFaults: readonly Fault[] = [
  {
    kind: 'broker-kill',
    hits: 'all',
    targets: [SERVER],
    seconds: [0, 8],
    weight: 2,
    async inject({ broker }) {
      await broker.kill();
      return () => broker.start();
    },
  },
  {
    kind: 'broker-pause',
    hits: 'all',
    targets: [SERVER],
    seconds: [3, 12],
    weight: 2,
    inject({ broker }) {
      broker.pause();
      return Promise.resolve(() => Promise.resolve(broker.resume()));
    },
  },
  {
    kind: 'broker-connections-closed',
    hits: 'all',
    targets: [SERVER],
    seconds: [0, 0],
    weight: 2,
    async inject({ broker }) {
      await broker.running.control('close_all_connections', '--global', 'chaos');
      return nothingToHeal;
    },
  },
  {
    kind: 'memory-alarm',
    hits: 'all',
    targets: [SERVER],
    seconds: [3, 10],
    weight: 1,
    async inject({ broker }) {
      await broker.running.control('set_vm_memory_high_watermark', ...EVERYTHING.memory);
      return () => broker.running.control('set_vm_memory_high_watermark', USUAL.memory);
    },
  },
  {
    kind: 'disk-alarm',
    hits: 'all',
    targets: [SERVER],
    seconds: [3, 10],
    weight: 1,
    async inject({ broker }) {
      await broker.running.control('set_disk_free_limit', EVERYTHING.disk);
      return () => broker.running.control('set_disk_free_limit', USUAL.disk);
    },
  },
];
