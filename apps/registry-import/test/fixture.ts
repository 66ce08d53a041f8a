import { services } from '@saleschannel/contracts';
import type { Import__Output } from '@saleschannel/contracts/gen/registry_import/v1/Import';
import type { ImportPart } from '@saleschannel/contracts/gen/registry_import/v1/ImportPart';
import {
  asRegistry,
  callAs,
  eventually,
  startTestService,
  type ServiceName,
  type TestService,
} from '@saleschannel/testing';
import { service } from '../src/app.ts';
import { FakeLedger, FakeTraders } from './outside-world.ts';

export type RegistryImportClient = Awaited<ReturnType<typeof registryImportAs>>;
export const registryImportAs = (name: ServiceName, address: string) => callAs(name, services.registryImport, address);

export interface World {
  readonly ledger: FakeLedger;
  readonly traders: FakeTraders;
  readonly service: TestService;
  /** Calls as the gateway. */
  readonly client: RegistryImportClient;
  readonly variables: Record<string, string>;
  stop(): Promise<void>;
}

/** The service with a database of its own, and an inventory and traders in memory behind real gRPC. */
export async function startWorld(variables: Record<string, string> = {}): Promise<World> {
  const ledger = new FakeLedger();
  const traders = new FakeTraders();
  await Promise.all([ledger.start(), traders.start()]);
  const all = { INVENTORY_ADDRESS: ledger.address, TRADERS_ADDRESS: traders.address, ...variables };
  const running = await startTestService(service, { variables: all });
  const client = await registryImportAs('gateway', running.address);
  return {
    ledger,
    traders,
    service: running,
    client,
    variables: all,
    async stop() {
      client.close();
      await running.stop();
      await Promise.all([ledger.stop(), traders.stop()]);
    },
  };
}

export const address = { postalCode: '3208', city: 'Sandefjord', country: 'Norway', street1: 'Ranvikveien 9' };

export const holderFields = (businessId: string, name = `Holder ${businessId}`) => ({ name, businessId, address });

export async function createHolder(client: RegistryImportClient, businessId: string): Promise<string> {
  const { accountHolder } = await client.CreateAccountHolder(holderFields(businessId), await asRegistry());
  return accountHolder?.accountHolderId ?? '';
}

export const facilityFields = (code: string) => ({
  code,
  name: `Plant ${code}`,
  country: 'NO',
  methodologyCodes: ['BIOCHAR-3', 'BIOCHAR-4'],
  supplier: 'Lågendal Karbon AS',
});

/** @param number from 0; makes the UUID */
export const issuanceFields = (number: number, productionFacilityCode: string) => ({
  issuanceId: `5b0c2f3e-7d1a-4c69-9a58-${String(number).padStart(12, '0')}`,
  productionFacilityCode,
  standard: 'NCR',
  registry: 'NRR',
  creditType: 'NCR200+',
  methodologyCode: 'BIOCHAR-3',
  vintage: 2024,
  productionStartDate: '2024-07-01T00:00:00Z',
  productionEndDate: '2024-12-31T23:59:59.000Z',
  issuingDate: '2025-02-10T01:00:00+01:00',
  firstSerial: '1',
  lastSerial: '500',
});

const PIECE_BYTES = 10_000;

export async function* partsOf(
  file: string | Buffer,
  header: { contentType: string; type?: string },
): AsyncGenerator<ImportPart> {
  yield { header, part: 'header' };
  const bytes = Buffer.from(file as string);
  for (let at = 0; at < bytes.length; at += PIECE_BYTES)
    yield { data: bytes.subarray(at, at + PIECE_BYTES), part: 'data' };
}

export const NDJSON = { contentType: 'application/x-ndjson' };
export const csv = (type: string) => ({ contentType: 'text/csv; charset=utf-8', type });

export const ndjson = (...records: object[]): string => records.map((record) => JSON.stringify(record)).join('\n');

export async function finished(client: RegistryImportClient, importId: string): Promise<Import__Output> {
  return eventually(async () => {
    const found = await client.GetImport({ importId }, await asRegistry());
    return (found.status === 'COMPLETED' || found.status === 'FAILED') && found;
  }, `the end of import ${importId}`);
}

/** Sends a file and waits until it was applied. */
export async function importFile(
  client: RegistryImportClient,
  file: string | Buffer,
  header: { contentType: string; type?: string } = NDJSON,
): Promise<Import__Output> {
  const started = await client.StartImport(partsOf(file, header), await asRegistry());
  return finished(client, started.importId);
}

export async function errorsOf(client: RegistryImportClient, importId: string) {
  const { errors } = await client.ListImportErrors({ importId, limit: 100 }, await asRegistry());
  return errors.map(({ line, code, detail }) => ({ line: Number(line), code, detail }));
}

export const counts = ({ status, linesRead, linesApplied, linesFailed }: Import__Output) => ({
  status,
  read: Number(linesRead),
  applied: Number(linesApplied),
  failed: Number(linesFailed),
});
