import { createServer } from 'node:http';
import { Pool } from 'pg';

/**
 * The reference of `inventory`, frozen: one process that reads an inventory with pg, builds the objects of the API,
 * serializes them with JSON.stringify, and serves them. It has no users, rights or pages.
 */

const CONNECTIONS = 10;

const statement = `
  select bundle.issuance_id, bundle.first, bundle.last, issuance.facility_id, issuance.facility_code,
    issuance.country_code, issuance.supplier_id, issuance.methodology_code, issuance.issuing_date,
    issuance.expiration_date, issuance.credit_type, issuance.credit_type_id, issuance.standard, issuance.registry,
    issuance.production_start, issuance.production_end, issuance.vintage
  from bundle join issuance on issuance.id = bundle.issuance_id
  where bundle.owner_id = $1 and (issuance.expiration_date is null or issuance.expiration_date > now())
  order by bundle.issuance_id, bundle.last`;

interface Row {
  readonly issuance_id: string;
  readonly first: string;
  readonly last: string;
  readonly facility_id: string;
  readonly facility_code: string;
  readonly country_code: string;
  readonly supplier_id: string;
  readonly methodology_code: string;
  readonly issuing_date: Date;
  readonly expiration_date: Date | null;
  readonly credit_type: string;
  readonly credit_type_id: string;
  readonly standard: string;
  readonly registry: string;
  readonly production_start: Date;
  readonly production_end: Date;
  readonly vintage: number;
}

function toAsset(row: Row): object {
  const { issuance_id: issuanceId, first, last } = row;
  const lead = [row.standard, row.registry, row.credit_type, row.country_code, row.facility_code, row.vintage];
  return {
    volume: Number(last) - Number(first) + 1,
    productionFacilityId: row.facility_id,
    supplierId: row.supplier_id,
    methodologyCode: row.methodology_code,
    issuingDate: row.issuing_date,
    expirationDate: row.expiration_date,
    creditTypeId: row.credit_type_id,
    standard: row.standard,
    countryCode: row.country_code,
    productionStartDate: row.production_start,
    productionEndDate: row.production_end,
    vintage: row.vintage,
    issuanceId,
    certificates: `${lead.join('_')}_${issuanceId}_${first}-${last}`,
    start: `${issuanceId}_${first}`,
    end: `${issuanceId}_${last}`,
  };
}

const [connectionString] = process.argv.slice(2);
const pool = new Pool({ connectionString, max: CONNECTIONS });
const server = createServer((request, response) => {
  const owner = request.url?.slice(1);
  pool
    .query<Row>({ name: 'inventory', text: statement, values: [owner] })
    .then(({ rows }) => {
      const body = JSON.stringify(rows.map(toAsset));
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
      response.end(body);
    })
    .catch((error: unknown) => {
      response.writeHead(500);
      response.end(String(error));
    });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.stdout.write(`${address.port}\n`);
});
// Exits with its parent process.
process.stdin.resume().once('end', () => process.exit(0));
