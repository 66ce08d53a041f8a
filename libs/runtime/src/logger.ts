import pino, { type Logger } from 'pino';

export type { Logger };

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** JSON lines on standard output; whoever runs the process makes them readable. Credentials never reach a log line. */
export const createLogger = (service: string, level: LogLevel): Logger =>
  pino({
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: ['authorization', 'passphrase', 'apiSecret', '*.authorization', '*.passphrase', '*.apiSecret'],
      censor: '[secret]',
    },
  });

export const silentLogger: Logger = pino({ level: 'silent' });
