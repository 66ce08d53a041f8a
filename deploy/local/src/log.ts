import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export type LogFormat = 'text' | 'json';

const NAME_WIDTH = 15;
const hidden = new Set(['level', 'time', 'service', 'msg', 'err', 'pid', 'hostname', 'address']);

const clockTime = (at = new Date()): string => at.toISOString().slice(11, 23);

/** One line of the stack's own. */
export function say(format: LogFormat, line: string): void {
  if (format === 'json')
    process.stdout.write(
      `${JSON.stringify({ level: 'info', time: new Date().toISOString(), service: 'stack', msg: line })}\n`,
    );
  else process.stdout.write(`${clockTime()} ${'stack'.padEnd(NAME_WIDTH)} ${line}\n`);
}

interface LogLine {
  level?: string;
  time?: string;
  msg?: string;
  err?: { message?: string; stack?: string };
  [field: string]: unknown;
}

/** Makes a service's JSON line readable: time, service, message, then what else it says. */
function render(service: string, text: string): string {
  let line: LogLine;
  try {
    line = JSON.parse(text) as LogLine;
  } catch {
    return `${clockTime()} ${service.padEnd(NAME_WIDTH)} ${text}`;
  }
  const level = line.level === 'info' || line.level === undefined ? '' : `${line.level.toUpperCase()} `;
  const fields = Object.entries(line).flatMap(([key, value]) =>
    hidden.has(key) ? [] : [`${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`],
  );
  const stack = line.err && line.level !== 'warn' ? `\n${line.err.stack ?? line.err.message ?? ''}` : '';
  return (
    [
      `${(line.time ?? '').slice(11, 23) || clockTime()} ${service.padEnd(NAME_WIDTH)} ${level}${line.msg ?? ''}`,
      ...fields,
    ].join(' ') + stack
  );
}

/** A library's own words, as a log line: those who asked for JSON get nothing else. */
const asJson = (service: string, line: string): string =>
  line.startsWith('{') ? line : JSON.stringify({ level: 'info', time: new Date().toISOString(), service, msg: line });

/** Passes a process's output on, line by line. */
export function forward(service: string, stream: Readable, format: LogFormat): void {
  const show = format === 'json' ? asJson : render;
  createInterface({ input: stream }).on('line', (line) => process.stdout.write(`${show(service, line)}\n`));
}
