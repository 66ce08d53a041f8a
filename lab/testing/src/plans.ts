import { createConnection, type EntityManager } from '@saleschannel/database';
import { escapeLiteral, type Client } from 'pg';

/** PostgreSQL's work for the statements of one read. */
export interface ReadWork {
  /** Rows and index entries visited, whether returned or not. */
  readonly rows: number;
  /** Pages of tables and indexes read. */
  readonly pages: number;
  /** Tables read by a sequential scan. */
  readonly fullScans: readonly string[];
}

/** Plan modes of prepared statements: per values, or generic. Services encounter both. */
export const planModes = ['force_custom_plan', 'force_generic_plan'] as const;

export interface Plans {
  /** An entity manager like a service's: its statements run on a connection opened as services do. */
  readonly em: EntityManager;
  /** Work of the read, with every statement planned in this mode. */
  measureRead(mode: (typeof planModes)[number], read: (em: EntityManager) => Promise<unknown>): Promise<ReadWork>;
  close(): Promise<void>;
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** Explains statements by executing them and counts rows and pages, which do not depend on the machine's load. */
export async function openPlans(databaseUrl: string): Promise<Plans> {
  // Longer limits than a service's, because a busy disk may stall for seconds.
  const client = createConnection(databaseUrl, { timeouts: { connectMs: 60_000 } });
  await client.connect();
  const run = async ({ sql, parameters }: Statement) => {
    return { rows: await client.run({ text: sql, values: parameters }) };
  };
  return {
    em: fakeEntityManager(run),
    async measureRead(mode, read) {
      await client.query(`set plan_cache_mode = ${mode}`);
      const plans: PlanNode[] = [];
      await read(
        fakeEntityManager(async (statement) => {
          plans.push(await explain(client, statement));
          return run(statement);
        }),
      );
      const nodes = plans.flatMap(listNodes);
      return {
        rows: sum(nodes.map(visitedBy)),
        pages: sum(plans.map((plan) => plan['Shared Hit Blocks'] + plan['Shared Read Blocks'])),
        fullScans: nodes
          .filter((node) => node['Node Type'] === 'Seq Scan')
          .map((node) => String(node['Relation Name'])),
      };
    },
    close: () => client.end(),
  };
}

/** The part of an entity manager that the statements of a store use. */
const fakeEntityManager = (executeQuery: (statement: Statement) => Promise<{ rows: object[] }>): EntityManager =>
  ({ executor: { executeQuery } }) as unknown as EntityManager;

/** Explains a named prepared statement. Without a name, PostgreSQL would plan it for its values in every mode. */
async function explain(client: Client, { sql, parameters }: Statement): Promise<PlanNode> {
  const values = parameters.length > 0 ? `(${parameters.map(literal).join(', ')})` : '';
  await client.query(`prepare explained as ${sql}`);
  try {
    const text = `explain (analyze, buffers, timing off, format json) execute explained${values}`;
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(text);
    const [found] = rows;
    if (!found) throw new Error('A statement has no plan.');
    return found['QUERY PLAN'][0].Plan;
  } finally {
    await client.query('deallocate explained');
  }
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (value instanceof Date) return escapeLiteral(value.toISOString());
  if (Buffer.isBuffer(value)) return escapeLiteral(`\\x${value.toString('hex')}`);
  if (!Array.isArray(value)) return escapeLiteral(String(value));
  const items = value.map((item) => `"${String(item).replaceAll(/(["\\])/g, '\\$1')}"`);
  return escapeLiteral(`{${items.join(',')}}`);
}

const listNodes = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(listNodes)];

/** Rows visited by scans of tables and indexes. Other nodes process rows that a scan has read. */
function visitedBy(node: PlanNode): number {
  if (!/(Seq|Index|Heap|Only) Scan$/.test(node['Node Type'])) return 0;
  const each =
    node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return Math.round(each * node['Actual Loops']);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
