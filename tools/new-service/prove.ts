// node tools/new-service/prove.ts <name>: starts the whole system with the new service in it, and asks the service.
import { services } from '../../libs/contracts/src/index.ts';
import { addressOf, type ServiceName } from '../../deploy/installation/src/index.ts';
import { connectAs, startStack } from '../../deploy/local/src/index.ts';
import { createClient, type ServiceKey } from '../../libs/grpc/src/index.ts';
import { freePort, makeTemporaryFolder, removeFolder } from '../../libs/local-backends/src/index.ts';
import { namesOf } from './names.ts';

interface Notes {
  WriteNote(request: object): Promise<{ readonly text: string }>;
  close(): void;
}

const { name, camel } = namesOf(process.argv[2] ?? '', new Date());
if (!Object.hasOwn(services, camel)) throw new Error(`there is no gRPC service ${camel}`);
const TEXT = 'The new service is there.';
const folder = await makeTemporaryFolder();
const [gatewayPort, idpPort] = [await freePort(), await freePort()];
const stack = await startStack({
  folder,
  gatewayPort,
  idpPort,
  format: 'text',
  databaseUrl: process.env.DATABASE_URL,
  amqpUrl: process.env.AMQP_URL,
  quiet: true,
  variables: { LOG_LEVEL: 'warn' },
});
try {
  const address = addressOf(name as ServiceName, stack.place);
  const client = createClient(camel as ServiceKey, { address, tokens: await connectAs('admin', stack) });
  const notes = client as unknown as Notes;
  const { text } = await notes.WriteNote({ noteId: 'first', text: TEXT });
  notes.close();
  if (text !== TEXT) throw new Error(`${name} answered ${JSON.stringify(text)}`);
  console.log(`${name} runs in the local stack and has answered`);
} finally {
  await stack.stop();
  removeFolder(folder);
}
