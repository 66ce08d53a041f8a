import { getHeapStatistics } from 'node:v8';
import type { MeterProvider } from '@opentelemetry/api';
import { RuntimeNodeInstrumentation } from '@opentelemetry/instrumentation-runtime-node';
import { meter } from './metrics.ts';

export interface Build {
  readonly version: string;
  readonly commit: string;
}

const MICROSECONDS_PER_SECOND = 1_000_000;

/**
 * Measures build, CPU, memory, event loop and garbage collection of the process. Returns a function that stops it.
 * Costs a timer every 10 ms, for the delay of the event loop; the rest is read by scrapes.
 */
export function observeProcess(provider: MeterProvider, build: Build): () => void {
  meter()
    .createObservableGauge('saleschannel.build.info', { description: 'Version and commit. Always 1' })
    .addCallback((result) => result.observe(1, { ...build }));
  meter()
    .createObservableCounter('process.cpu.time', { unit: 's', description: 'CPU time of the process' })
    .addCallback((result) => {
      const { user, system } = process.cpuUsage();
      result.observe(user / MICROSECONDS_PER_SECOND, { 'cpu.mode': 'user' });
      result.observe(system / MICROSECONDS_PER_SECOND, { 'cpu.mode': 'system' });
    });
  meter()
    .createObservableGauge('process.memory.usage', { unit: 'By', description: 'Resident memory of the process' })
    .addCallback((result) => result.observe(process.memoryUsage.rss()));
  meter()
    .createObservableGauge('process.uptime', { unit: 's', description: 'Time since the start of the process' })
    .addCallback((result) => result.observe(process.uptime()));
  meter()
    .createObservableGauge('saleschannel.heap.limit', { unit: 'By', description: 'Maximum size of the heap' })
    .addCallback((result) => result.observe(getHeapStatistics().heap_size_limit));
  const runtime = new RuntimeNodeInstrumentation();
  runtime.setMeterProvider(provider);
  return () => runtime.disable();
}
