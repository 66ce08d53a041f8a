import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { prettyFactory } from 'pino-pretty';

export type LogFormat = 'text' | 'json';

const NAME_WIDTH = 15;
const STACK = 'stack';

/** Formats a line of a service: time, service, level, message, other fields. */
const prettyOf = (service: string) =>
  prettyFactory({
    colorize: false,
    translateTime: 'UTC:HH:MM:ss.l',
    singleLine: true,
    ignore: 'service,pid,hostname,address',
    customPrettifiers: { time: (time) => `${String(time)} ${service.padEnd(NAME_WIDTH)}` },
  });

/** Name of the service in a line of a process that hosts several. */
const NAMED = /"service":"([a-z-]{1,40})"/;

/** Log line for unstructured text. */
const lineOf = (service: string, words: string): string =>
  JSON.stringify({ level: 'info', time: new Date().toISOString(), service, msg: words });

function printerOf(service: string, format: LogFormat): (line: string) => void {
  const write = (text: string): unknown => process.stdout.write(text);
  // Libraries may print unstructured text.
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

/** Prints a line of the stack itself. */
export const printLine = (format: LogFormat, words: string): void => printerOf(STACK, format)(lineOf(STACK, words));

/** Forwards the output of a process line by line. */
export function forward(service: string, stream: Readable, format: LogFormat): void {
  createInterface({ input: stream }).on('line', printerOf(service, format));
}
