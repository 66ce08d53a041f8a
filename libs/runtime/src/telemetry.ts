import { metrics, type MeterProvider } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import { resetChannelCounters } from './metrics.ts';
import type { Build } from './prometheus.ts';
import { registerTracing, setHostedTracer } from './tracing.ts';

export interface TelemetryOptions {
  service: string;
  /** Services of the process, if it hosts several. */
  hostedServices?: readonly string[];
  /** Unknown if undefined. */
  build?: Build;
  /** OTLP over HTTP, such as `http://collector:4318`. Tracing is off if undefined. */
  tracesEndpoint: string | undefined;
  /** Prometheus scrape port. Metrics are off if undefined. */
  metricsPort: number | undefined;
  metricsHost: string;
}

const UNKNOWN_BUILD: Build = { version: 'unknown', commit: 'unknown' };
/** Timeout of an export, retries included. A stopping process waits as long for its last spans. */
const EXPORT_TIMEOUT_MS = 5_000;

/**
 * Starts tracing and metrics as configured. Without an endpoint and a port it loads no SDK, and all spans and counters
 * are no-ops. Returns a function that flushes and stops them.
 */
export async function startTelemetry(options: TelemetryOptions): Promise<() => Promise<void>> {
  const { service, hostedServices = [], build = UNKNOWN_BUILD, tracesEndpoint, metricsHost, metricsPort } = options;
  if (tracesEndpoint === undefined && metricsPort === undefined) return () => Promise.resolve();
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  const createResource = (name: string): Resource =>
    resourceFromAttributes({
      'service.namespace': 'saleschannel',
      'service.name': name,
      'service.version': build.version,
    });
  const stops: (() => Promise<void>)[] = [];
  if (metricsPort !== undefined)
    stops.push(await startMetrics(createResource(service), build, metricsHost, metricsPort));
  // Starts after metrics, which count lost spans.
  if (tracesEndpoint)
    stops.push(await startTraces(service, hostedServices, createResource, tracesEndpoint, metrics.getMeterProvider()));
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

async function startTraces(
  service: string,
  hosted: readonly string[],
  createResource: (service: string) => Resource,
  endpoint: string,
  selfObsMeterProvider: MeterProvider,
): Promise<() => Promise<void>> {
  const [{ TracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: EXPORT_TIMEOUT_MS });
  const spanProcessor = new BatchSpanProcessor({
    exporter,
    exportTimeoutMillis: EXPORT_TIMEOUT_MS,
    selfObsMeterProvider,
  });
  const createProvider = (name: string) =>
    new TracerProvider({ resource: createResource(name), spanProcessors: [spanProcessor] });
  for (const name of hosted) setHostedTracer(name, createProvider(name));
  const provider = createProvider(service);
  const endTracing = await registerTracing(provider);
  return async () => {
    endTracing();
    await provider.shutdown();
  };
}

async function startMetrics(
  resource: Resource,
  build: Build,
  host: string,
  port: number,
): Promise<() => Promise<void>> {
  const [{ MeterProvider }, { ScrapedMetrics }, { observeProcess }] = await Promise.all([
    import('@opentelemetry/sdk-metrics'),
    import('./prometheus.ts'),
    import('./prometheus.ts'),
  ]);
  const exporter = new ScrapedMetrics(String(resource.attributes['service.name']), host, port);
  await exporter.startServer();
  const provider = new MeterProvider({ resource, readers: [exporter] });
  metrics.setGlobalMeterProvider(provider);
  const endProcess = observeProcess(provider, build);
  return () => {
    endProcess();
    metrics.disable();
    resetChannelCounters();
    return provider.shutdown();
  };
}
