// Health check inside a container, for orchestrators without one. Exits with 0 if the address reports that it serves.
//   node deploy/docker/health.ts grpc://127.0.0.1:50051          grpc.health.v1.Health/Check
//   node deploy/docker/health.ts http://127.0.0.1:8080/readyz    any status below 400
// Uses only Node's own modules, so that it starts fast in every image.
import { connect } from 'node:http2';

const LIMIT_MS = 3_000;

/** gRPC frame of an empty message: uncompressed, length 0. Requests the state of the whole server. */
const EMPTY_REQUEST = Buffer.alloc(5);
/** Frame of the reply: a message of two bytes, field 1 (status) = 1 (SERVING). */
const SERVING = Buffer.from([0, 0, 0, 0, 2, 8, 1]);

function isServing(address: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const session = connect(`http://${address}`);
    session.on('error', reject);
    const call = session.request({
      ':method': 'POST',
      ':path': '/grpc.health.v1.Health/Check',
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    const chunks: Buffer[] = [];
    call.on('data', (chunk: Buffer) => chunks.push(chunk));
    call.on('error', reject);
    call.on('end', () => {
      session.close();
      resolve(Buffer.concat(chunks).equals(SERVING));
    });
    call.end(EMPTY_REQUEST);
  });
}

async function isHealthy(target: string): Promise<boolean> {
  const url = new URL(target);
  if (url.protocol === 'grpc:') return isServing(url.host);
  const response = await fetch(url);
  return response.ok;
}

setTimeout(() => {
  process.stderr.write(`No answer within ${LIMIT_MS} ms.\n`);
  process.exit(1);
}, LIMIT_MS).unref();

try {
  const [, , target] = process.argv;
  if (target === undefined) throw new Error('The address to check is missing.');
  if (!(await isHealthy(target))) throw new Error('The service answers but is not ready.');
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
