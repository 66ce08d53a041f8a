import { Client } from 'pg';

/**
 * Texts that a connection keeps prepared at most: more than any service has. So generated ones cannot fill the server's
 * memory.
 */
const STATEMENTS_AT_MOST = 500;

const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= STATEMENTS_AT_MOST) return known;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}

/**
 * A connection that prepares every statement with parameters at its first use: parsing and planning take longer than
 * most statements themselves. The pool below MikroORM makes its connections of this class.
 */
export class PreparingClient extends Client {
  // The driver's overloads are many. The pool uses (text, values) with or without a callback, and everything else
  // passes through.
  // eslint-disable-next-line typescript/no-explicit-any
  override query(...args: any[]): any {
    const [text, values, ...rest] = args as [unknown, unknown, ...unknown[]];
    const name = typeof text === 'string' && Array.isArray(values) && values.length > 0 ? nameOf(text) : undefined;
    const pass = super.query.bind(this) as (...all: unknown[]) => unknown;
    return name === undefined ? pass(...args) : pass({ name, text, values }, ...rest);
  }
}
