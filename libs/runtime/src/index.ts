export { env, EnvironmentError, readEnvironment, type Environment, type Values, type Variable } from './environment.ts';
export { createLogger, logLevels, secretNames, silentLogger, type Logger, type LogLevel } from './logger.ts';
export {
  composeApp,
  processEnvironment,
  runService,
  sequence,
  type App,
  type Part,
  type ServiceDefinition,
} from './service.ts';
export {
  contextOf,
  currentTraceparent,
  durationHistogram,
  meter,
  openSpan,
  registerTracing,
  startTelemetry,
  withSpan,
  type Counter,
  type TelemetryOptions,
} from './telemetry.ts';
