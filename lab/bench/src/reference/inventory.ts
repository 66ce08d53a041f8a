import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Stack } from '@saleschannel/local';
import { buildAdminUrl, withConnection, execute } from '../measure/database.ts';

/** Database and process of the reference of `inventory`: a private schema with the same rows. */

const DATABASE = 'bench_inventory';

const schema = `
  create table issuance (
    id uuid primary key, facility_id text not null, facility_code text not null, country_code text not null,
    supplier_id text not null, methodology_code text not null, issuing_date timestamptz not null,
    expiration_date timestamptz, credit_type text not null, credit_type_id text not null, standard text not null,
    registry text not null, production_start timestamptz not null, production_end timestamptz not null,
    vintage int not null
  );
  create table bundle (
    owner_id text not null, issuance_id uuid not null references issuance, first numeric(38) not null,
    last numeric(38) not null, primary key (owner_id, issuance_id, last)
  );`;

/** Fields that all issuances of the inventories share. Times are ISO 8601. */
export interface IssuanceFacts {
  readonly facilityId: string;
  readonly facilityCode: string;
  readonly countryCode: string;
  readonly supplierId: string;
  readonly methodologyCode: string;
  readonly issuingDate: string;
  readonly creditType: string;
  readonly creditTypeId: string;
  readonly standard: string;
  readonly registry: string;
  readonly productionStart: string;
  readonly productionEnd: string;
  readonly vintage: number;
}

/** An owner's number of bundles and of issuances. */
export interface Inventory {
  readonly ownerId: string;
  readonly bundles: number;
  readonly bundlesPerIssuance: number;
}

/** Certificates per bundle. */
export const BUNDLE_SIZE = 10;

/** Id of an owner's n-th issuance; `$1` is the owner. Every second issuance expires in a hundred years. */
export const issuanceId = 'md5($1 || n)::uuid';
export const expirationDate = `case when n % 2 = 0 then timestamptz '2126-01-01 00:00Z' end`;

async function fill(url: string, facts: IssuanceFacts, inventories: readonly Inventory[]): Promise<void> {
  await withConnection(url, async (client) => {
    for (const { ownerId, bundles, bundlesPerIssuance } of inventories) {
      const issuances = bundles / bundlesPerIssuance;
      const values = [
        ownerId,
        facts.facilityId,
        facts.facilityCode,
        facts.countryCode,
        facts.supplierId,
        facts.methodologyCode,
        facts.issuingDate,
        facts.creditType,
        facts.creditTypeId,
        facts.standard,
        facts.registry,
        facts.productionStart,
        facts.productionEnd,
        facts.vintage,
        issuances,
      ];
      await client.query(
        `insert into issuance
         select ${issuanceId}, $2, $3, $4, $5, $6, $7::timestamptz, ${expirationDate}, $8, $9, $10, $11,
           $12::timestamptz, $13::timestamptz, $14::int from generate_series(1, $15::int) n`,
        values,
      );
      await client.query(
        `insert into bundle
         select $1, ${issuanceId}, (part - 1) * ${BUNDLE_SIZE} + 1, part * ${BUNDLE_SIZE}
         from generate_series(1, $2::int) n, generate_series(1, $3::int) part`,
        [ownerId, issuances, bundlesPerIssuance],
      );
    }
    await client.query('vacuum analyze');
  });
}

export interface InventoryReference {
  readonly address: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Fills the database and starts the process. */
export async function startInventoryReference(
  stack: Stack,
  facts: IssuanceFacts,
  inventories: readonly Inventory[],
): Promise<InventoryReference> {
  const url = buildAdminUrl(stack, DATABASE);
  await execute(stack.databaseAdminUrl, `drop database if exists ${DATABASE}`, `create database ${DATABASE}`);
  await execute(url, schema);
  await fill(url, facts, inventories);
  const script = fileURLToPath(new URL('inventory-server.ts', import.meta.url));
  const child = spawn(process.execPath, [script, url], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [port] = (await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])) as [unknown];
  if (child.pid === undefined || !Buffer.isBuffer(port)) throw new Error('The reference did not start.');
  return {
    address: `http://127.0.0.1:${port.toString().trim()}`,
    pid: child.pid,
    async stop() {
      const exit = once(child, 'exit');
      child.stdin.end();
      await exit;
    },
  };
}
