import { getHeapStatistics } from 'node:v8';
import { ValueType, type MeterProvider } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { RuntimeNodeInstrumentation } from '@opentelemetry/instrumentation-runtime-node';
import {
  AggregationTemporality,
  DataPointType,
  InstrumentType,
  type CollectionResult,
  type MetricData,
  type ScopeMetrics,
  type SumMetricData,
} from '@opentelemetry/sdk-metrics';
import { channelCounters, type ChannelCounter, meterName, serviceOfMeter, meter } from './metrics.ts';

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

/** Scrapers give up after 10 s by default. Values that databases and brokers do not return in time are left out. */
const COLLECT_TIMEOUT_MS = 5_000;

/** UCUM units → names of the compatibility specification of OpenTelemetry and Prometheus. */
const units: Readonly<Record<string, string>> = { s: 'seconds', By: 'bytes', '1': 'ratio' };

/**
 * Serves metrics for Prometheus under the names of the compatibility specification. The base class appends `_total`,
 * and no units.
 */
export class ScrapedMetrics extends PrometheusExporter {
  readonly #startedAt = millisToHrTime(Date.now());
  readonly #service: string;

  /** @param service service label of metrics without a hosted service */
  constructor(service: string, host: string, port: number) {
    super({ host, port, preventServerStart: true, withoutScopeInfo: true });
    this.#service = service;
  }

  /**
   * Gauges without observations disappear, such as the outbox of a replica whose relay has lost its lock. Cumulative
   * gauges would repeat their last value for ever.
   */
  override selectAggregationTemporality(type: InstrumentType): AggregationTemporality {
    return type === InstrumentType.OBSERVABLE_GAUGE ? AggregationTemporality.DELTA : AggregationTemporality.CUMULATIVE;
  }

  override async collect(): Promise<CollectionResult> {
    const { resourceMetrics, errors } = await super.collect({ timeoutMillis: COLLECT_TIMEOUT_MS });
    const scopeMetrics = [...resourceMetrics.scopeMetrics, ...this.#collectChannelCounters()].map(
      ({ scope, metrics }) => ({
        scope,
        metrics: metrics.map((metric) => withService(withUnit(metric), serviceOfMeter(scope.name) ?? this.#service)),
      }),
    );
    return { resourceMetrics: { ...resourceMetrics, scopeMetrics }, errors };
  }

  #collectChannelCounters(): ScopeMetrics[] {
    const endTime = millisToHrTime(Date.now());
    const toMetric = ({ name, description, kind: label, read }: ChannelCounter): SumMetricData => ({
      descriptor: { name, description, unit: '', valueType: ValueType.INT },
      dataPointType: DataPointType.SUM,
      isMonotonic: true,
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
      dataPoints: read().map(({ key, kind, count }) => ({
        startTime: this.#startedAt,
        endTime,
        attributes: { sales_channel_id: key, [label]: kind },
        value: count,
      })),
    });
    return channelCounters().map((counter) => ({
      scope: { name: meterName(counter.service) },
      metrics: [toMetric(counter)],
    }));
  }
}

function withUnit<T extends MetricData>(metric: T): T {
  const { name, unit: symbol } = metric.descriptor;
  // A word in braces names the counted things, and is not a unit.
  const unit = units[symbol];
  const descriptor = unit
    ? { ...metric.descriptor, unit, name: `${name}.${unit}` }
    : { ...metric.descriptor, unit: '' };
  return { ...metric, descriptor };
}

/** Labels every sample with its service, independent of the job names of scrapers. */
const withService = <T extends MetricData>(metric: T, service: string): T => ({
  ...metric,
  dataPoints: metric.dataPoints.map((point) => ({
    ...point,
    attributes: { ...point.attributes, 'service.name': service },
  })),
});
