import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { prettyFactory } from 'pino-pretty';

export type LogFormat = 'text' | 'json';

const NAME_WIDTH = 15;
const STACK = 'stack';

/** Makes a line of a service readable: time, service, level, message, then what else it says. */
const prettyOf = (service: string) =>
  prettyFactory({
    colorize: false,
    translateTime: 'UTC:HH:MM:ss.l',
    singleLine: true,
    ignore: 'service,pid,hostname,address',
    customPrettifiers: { time: (time) => `${String(time)} ${service.padEnd(NAME_WIDTH)}` },
  });

/** A process may host several services: its lines say whose they are. */
const NAMED = /"service":"([a-z-]{1,40})"/;

/** A log line for words of no form. */
const lineOf = (service: string, words: string): string =>
  JSON.stringify({ level: 'info', time: new Date().toISOString(), service, msg: words });

function printerOf(service: string, format: LogFormat): (line: string) => void {
  const write = (text: string): unknown => process.stdout.write(text);
  // Libraries may print words of their own. Both formats are for log lines only.
  const asLine = (text: string): string => (text.startsWith('{') ? text : lineOf(service, text));
  if (format === 'json') return (text) => write(`${asLine(text)}\n`);
  const prettyOfEach = new Map<string, ReturnType<typeof prettyOf>>();
  return (text) => {
    const named = NAMED.exec(text)?.[1] ?? service;
    const pretty = prettyOfEach.get(named) ?? prettyOf(named);
    prettyOfEach.set(named, pretty);
    write(pretty(asLine(text)));
  };
}

/** Prints one line of the stack's own. */
export const say = (format: LogFormat, words: string): void => printerOf(STACK, format)(lineOf(STACK, words));

/** Passes a process's output on, line by line. */
export function forward(service: string, stream: Readable, format: LogFormat): void {
  createInterface({ input: stream }).on('line', printerOf(service, format));
}
