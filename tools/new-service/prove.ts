// node tools/new-service/prove.ts <name>
//
// Starts a new service as the local stack does, with the stack's database, secrets and variables, and calls it as the
// admin command does. No other service needs to run.
import { addressOf, completeSecrets, variablesOf, variablesOfMigration } from '../../deploy/installation/src/index.ts';
import type { LocalInstallation, ServiceName } from '../../deploy/installation/src/index.ts';
import { createProgramCredentials, migrate, supervise } from '../../deploy/local/src/index.ts';
import { prepareLocalInstallation } from '../../deploy/local/src/place.ts';
import { Running } from '../../deploy/local/src/running.ts';
import { openDatabases } from '../../deploy/local/src/servers.ts';
import { services } from '../../libs/contracts/src/index.ts';
import { createClient, type ServiceKey } from '../../libs/grpc/src/index.ts';
import { findFreePort, createTemporaryFolder, removeFolder } from '../../libs/local-backends/src/index.ts';
import { deriveNames } from './names.ts';

interface Notes {
  WriteNote(request: object): Promise<{ readonly text: string }>;
  close(): void;
}

const TEXT = 'The new service is there.';
const { name, camel } = deriveNames(process.argv[2] ?? '', new Date());
if (!Object.hasOwn(services, camel)) throw new Error(`libs/contracts has no gRPC service ${camel}`);

async function start(folder: string, running: Running): Promise<LocalInstallation> {
  const log = (): void => undefined;
  const secrets = await completeSecrets({});
  const databases = await openDatabases(process.env.DATABASE_URL, { folder, secrets, running, log });
  const ports = { gatewayPort: await findFreePort(), idpPort: await findFreePort() };
  const prepared = await prepareLocalInstallation({ folder, ...ports, secrets, databases });
  const place: LocalInstallation = { ...prepared, brokerUrlOf: () => 'amqp://unused' };
  await migrate({ name, variables: variablesOfMigration(name as ServiceName, place), format: 'text' });
  const service = supervise({ name, variables: variablesOf(name as ServiceName, place), format: 'text' });
  running.add(async () => void (await service.stop()));
  await service.start();
  return place;
}

const folder = await createTemporaryFolder();
const running = new Running(() => undefined);
try {
  const place = await start(folder, running);
  const address = addressOf(name as ServiceName, place);
  const client = createClient(camel as ServiceKey, {
    address,
    tokens: await createProgramCredentials('admin', { place }),
  });
  const notes = client as unknown as Notes;
  const { text } = await notes.WriteNote({ noteId: 'first', text: TEXT });
  notes.close();
  if (text !== TEXT) throw new Error(`${name} answered ${JSON.stringify(text)}`);
  console.log(`${name} runs as in the local stack and answers`);
} finally {
  await running.stop();
  removeFolder(folder);
}
