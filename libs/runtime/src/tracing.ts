import {
  context,
  INVALID_SPAN_CONTEXT,
  isSpanContextValid,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
  type Span,
  type SpanContext,
  type Tracer,
  type TracerProvider,
} from '@opentelemetry/api';
import { hostedService } from './work-context.ts';

export type { Span };

/** Without a provider no spans are created: even unrecorded ones cost a few microseconds each. */
let isTracing = false;

/**
 * Registers the tracer provider of the process, with W3C trace context. Tests pass one with an in-memory exporter.
 * Returns a function that removes it.
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

const TRACER = 'saleschannel';
/** Tracers by hosted service. Their resources have the name of the service; they share one exporter. */
const hostedTracers = new Map<string, Tracer>();

/** Sets the provider of the spans of a hosted service. */
export const setHostedTracer = (service: string, provider: TracerProvider): void => {
  hostedTracers.set(service, provider.getTracer(TRACER));
};

function tracer(): Tracer {
  const service = hostedService();
  const own = service === undefined ? undefined : hostedTracers.get(service);
  return own ?? trace.getTracer(TRACER);
}

/** `traceparent` of calls and messages while tracing is off. */
const NO_TRACE = '';

/** Returns the current trace as a W3C `traceparent`, or an empty text while tracing is off. */
export function currentTraceparent(): string {
  return isTracing ? formatTraceparent(trace.getActiveSpan()?.spanContext()) : NO_TRACE;
}

/** Formats without the SDK's propagator, which would create a context and a carrier several times per trade. */
const formatTraceparent = (span: SpanContext | undefined): string =>
  span && isSpanContextValid(span)
    ? `00-${span.traceId}-${span.spanId}-${(span.traceFlags & TraceFlags.SAMPLED) === 0 ? '00' : '01'}`
    : NO_TRACE;

const toContext = (traceparent: string | undefined): Context =>
  traceparent ? propagation.extract(context.active(), { traceparent }) : context.active();

interface SpanOptions {
  kind?: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  attributes?: Attributes;
  /** W3C traceparent of a received call or message. */
  parent?: string | undefined;
  /** Further traces of this work: one ledger batch serves many requests. */
  links?: string[];
}

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};

/** A span that the caller ends. */
interface OpenSpan {
  readonly span: Span;
  /** `traceparent` of this span. While tracing is off, that of the parent. */
  readonly traceparent: string;
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

export function markFailed(span: Span, error: unknown): void {
  span.recordException(error as Error);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Returns the members of a log line that name its span. Empty while tracing is off. */
export function readTraceIds(span = trace.getActiveSpan()): { readonly trace_id?: string; readonly span_id?: string } {
  if (!isTracing || !span || !isSpanContextValid(span.spanContext())) return {};
  const { traceId, spanId } = span.spanContext();
  return { trace_id: traceId, span_id: spanId };
}

/** Opens a span for work that is not one function call, such as an entry of a batch. Otherwise use {@link withSpan}. */
export function openSpan(name: string, options: SpanOptions): OpenSpan {
  if (!isTracing) return { ...noSpan, traceparent: options.parent ?? NO_TRACE };
  const parent = toContext(options.parent);
  const links = (options.links ?? []).flatMap((link) => {
    const linked = trace.getSpanContext(toContext(link));
    return linked ? [{ context: linked }] : [];
  });
  const span = tracer().startSpan(
    name,
    { kind: kinds[options.kind ?? 'internal'], attributes: options.attributes ?? {}, links },
    parent,
  );
  const inner = trace.setSpan(parent, span);
  return {
    span,
    get traceparent() {
      return formatTraceparent(span.spanContext()) || (options.parent ?? NO_TRACE);
    },
    run: (work) => context.with(inner, work),
    end(error) {
      if (error !== undefined) markFailed(span, error);
      span.end();
    },
  };
}

/** Runs `work` inside a span. An error marks the span and is rethrown. */
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
