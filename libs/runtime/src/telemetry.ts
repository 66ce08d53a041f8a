import {
  context,
  INVALID_SPAN_CONTEXT,
  isSpanContextValid,
  metrics,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type MeterProvider,
  TraceFlags,
  type Span,
  type SpanContext,
  type Tracer,
} from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import { forgetChannelCounters } from './by-sales-channel.ts';
import { hostedService } from './hosting.ts';
import type { Build } from './process-metrics.ts';

export type { Span };

export interface TelemetryOptions {
  service: string;
  /** The services that the process hosts, where it hosts several. */
  hosted?: readonly string[];
  /** What runs. Unknown when undefined. */
  build?: Build;
  /** OTLP over HTTP, for instance `http://collector:4318`. Traces are off when undefined. */
  tracesEndpoint: string | undefined;
  /** Prometheus scrape port. Metrics are off when undefined. */
  metricsPort: number | undefined;
  metricsHost: string;
}

const UNKNOWN_BUILD: Build = { version: 'unknown', commit: 'unknown' };
/** What a collector has for some spans, with all attempts. A process that stops waits for its last ones as long. */
const EXPORT_MS = 5_000;

/**
 * Starts the OpenTelemetry SDK for what is asked for. Without an endpoint and a port no SDK is loaded, and every span
 * and counter of the code is a no-op. Returns what flushes and stops it.
 */
export async function startTelemetry(options: TelemetryOptions): Promise<() => Promise<void>> {
  const { service, hosted = [], build = UNKNOWN_BUILD, tracesEndpoint, metricsHost, metricsPort } = options;
  if (tracesEndpoint === undefined && metricsPort === undefined) return () => Promise.resolve();
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  const resourceOf = (name: string): Resource =>
    resourceFromAttributes({
      'service.namespace': 'saleschannel',
      'service.name': name,
      'service.version': build.version,
    });
  const stops: (() => Promise<void>)[] = [];
  if (metricsPort !== undefined) stops.push(await startMetrics(resourceOf(service), build, metricsHost, metricsPort));
  // Then metrics tell of spans that are lost.
  if (tracesEndpoint)
    stops.push(await startTraces(service, hosted, resourceOf, tracesEndpoint, metrics.getMeterProvider()));
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

async function startTraces(
  service: string,
  hosted: readonly string[],
  resourceOf: (service: string) => Resource,
  endpoint: string,
  selfObsMeterProvider: MeterProvider,
): Promise<() => Promise<void>> {
  const [{ TracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: EXPORT_MS });
  const spanProcessor = new BatchSpanProcessor({ exporter, exportTimeoutMillis: EXPORT_MS, selfObsMeterProvider });
  const createProvider = (name: string) =>
    new TracerProvider({ resource: resourceOf(name), spanProcessors: [spanProcessor] });
  for (const name of hosted) tracersOfHosted.set(name, createProvider(name).getTracer(TRACER));
  const provider = createProvider(service);
  const endTracing = await registerTracing(provider);
  return async () => {
    endTracing();
    await provider.shutdown();
  };
}

/** Spans cost a few microseconds each even when nobody records them: without a provider none is made. */
let isTracing = false;

/**
 * Makes a tracer provider the process's own, with W3C trace context. Tests pass one with an in-memory exporter.
 * @returns how to undo it
 */
export async function registerTracing(
  provider: Parameters<typeof trace.setGlobalTracerProvider>[0],
): Promise<() => void> {
  const [{ AsyncLocalStorageContextManager }, { W3CTraceContextPropagator }] = await Promise.all([
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/core'),
  ]);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  isTracing = true;
  return () => {
    isTracing = false;
    for (const api of [trace, propagation, context]) api.disable();
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
    import('./process-metrics.ts'),
  ]);
  const exporter = new ScrapedMetrics(String(resource.attributes['service.name']), host, port);
  await exporter.startServer();
  const provider = new MeterProvider({ resource, readers: [exporter] });
  metrics.setGlobalMeterProvider(provider);
  const endProcess = observeProcess(provider, build);
  return () => {
    endProcess();
    metrics.disable();
    forgetChannelCounters();
    return provider.shutdown();
  };
}

const TRACER = 'saleschannel';
/** Each has a resource of its own, with the name of its service. They share what exports spans. */
const tracersOfHosted = new Map<string, Tracer>();

function tracer(): Tracer {
  const service = hostedService();
  const own = service === undefined ? undefined : tracersOfHosted.get(service);
  return own ?? trace.getTracer(TRACER);
}

/** What calls and messages carry as their `traceparent` when nothing is traced. */
const NO_TRACE = '';

/** The current trace as a W3C `traceparent`, or an empty text when nothing is traced. */
export function currentTraceparent(): string {
  return isTracing ? traceparentOf(trace.getActiveSpan()?.spanContext()) : NO_TRACE;
}

/** As the propagator of the SDK writes it, which takes a context and a carrier for it: of each trade several times. */
const traceparentOf = (span: SpanContext | undefined): string =>
  span && isSpanContextValid(span)
    ? `00-${span.traceId}-${span.spanId}-${(span.traceFlags & TraceFlags.SAMPLED) === 0 ? '00' : '01'}`
    : NO_TRACE;

const contextOf = (traceparent: string | undefined): Context =>
  traceparent ? propagation.extract(context.active(), { traceparent }) : context.active();

interface SpanOptions {
  kind?: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  attributes?: Attributes;
  /** A W3C traceparent that came with a call or a message. */
  parent?: string | undefined;
  /** Further traces that this work serves: one ledger batch works for many requests. */
  links?: string[];
}

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};

/** A span that ends when it is told to. */
interface OpenSpan {
  readonly span: Span;
  /** Continues the trace from this span. That of the parent when nothing is traced here. */
  readonly traceparent: string;
  /** Runs work inside the span. */
  run<T>(work: () => T): T;
  /** @param error marks the span as failed */
  end(error?: unknown): void;
}

const noSpan: OpenSpan = {
  span: trace.wrapSpanContext(INVALID_SPAN_CONTEXT),
  traceparent: NO_TRACE,
  run: (work) => work(),
  end: () => undefined,
};

/** Says of a span that its work failed, and of what. */
export function markFailed(span: Span, error: unknown): void {
  span.recordException(error as Error);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** What a line of the log says of the span that it belongs to. Nothing when nothing is traced. */
export function traceOf(span = trace.getActiveSpan()): { readonly trace_id?: string; readonly span_id?: string } {
  if (!isTracing || !span || !isSpanContextValid(span.spanContext())) return {};
  const { traceId, spanId } = span.spanContext();
  return { trace_id: traceId, span_id: spanId };
}

/** For work that is not one function call, such as an entry of a batch. Otherwise {@link withSpan}. */
export function openSpan(name: string, options: SpanOptions): OpenSpan {
  if (!isTracing) return { ...noSpan, traceparent: options.parent ?? NO_TRACE };
  const parent = contextOf(options.parent);
  const links = (options.links ?? []).flatMap((link) => {
    const linked = trace.getSpanContext(contextOf(link));
    return linked ? [{ context: linked }] : [];
  });
  const span = tracer().startSpan(
    name,
    { kind: kinds[options.kind ?? 'internal'], attributes: options.attributes ?? {}, links },
    parent,
  );
  const within = trace.setSpan(parent, span);
  return {
    span,
    get traceparent() {
      return traceparentOf(span.spanContext()) || (options.parent ?? NO_TRACE);
    },
    run: (work) => context.with(within, work),
    end(error) {
      if (error !== undefined) markFailed(span, error);
      span.end();
    },
  };
}

/** Runs `work` inside a span. An error marks the span and goes on. */
export function withSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  return isTracing ? traced(name, options, work) : work(noSpan.span);
}

async function traced<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  const { span, run, end } = openSpan(name, options);
  try {
    const result = await run(() => work(span));
    end();
    return result;
  } catch (error) {
    end(error ?? new Error('failed without an error'));
    throw error;
  }
}
