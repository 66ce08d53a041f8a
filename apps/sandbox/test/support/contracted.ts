import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { startFakeProviders, startTestService } from '@saleschannel/testing';
import { service } from '../../src/app.ts';
import { contract as identityContract } from '../contracts/identity.ts';
import { contract as rbacContract } from '../contracts/rbac.ts';
import { contract as registryImportContract } from '../contracts/registry-import.ts';
import { contract as tasksContract } from '../contracts/tasks.ts';
import { contract as tradersContract } from '../contracts/traders.ts';
import { contract as webhooksContract } from '../contracts/webhooks.ts';

const contracts = [
  identityContract,
  rbacContract,
  registryImportContract,
  tasksContract,
  tradersContract,
  webhooksContract,
];

/** Account holders. An accepted proposal has a trader with the same number. */
const HOLDERS: readonly (readonly [name: string, id: string, isAccepted: boolean])[] = [
  ['Sandbox seller', '1', true],
  ['Sandbox buyer', '2', true],
  ['Sandbox suspended seller', '3', false],
  ['Sandbox newcomer', '4', false],
];

const respond = (path: string, body: { name?: string; accountHolderId?: string }): object => {
  const [, id, isAccepted] =
    HOLDERS.find(([name, number]) => body.name === name || body.accountHolderId === `h${number}`) ?? [];
  if (path.endsWith('/account-holders')) return { accountHolderId: `h${id}` };
  if (!path.endsWith('/trader-onboarding-proposals')) return {};
  const status = isAccepted ? 'ACCEPTED' : 'PENDING';
  return { id: `p${id}`, status, onboardedTraderId: isAccepted ? `t${id}` : null };
};

/** Starts a fake of the public API for registries. */
async function startRegistryApi() {
  const api = createServer(async (request, response) => {
    const hasBody = request.headers['content-type'] !== undefined;
    const body = hasBody ? ((await json(request)) as object) : {};
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(respond(String(request.url), body)));
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        api.close(resolve);
        api.closeAllConnections();
      }),
  };
}

export interface ContractedSandbox {
  readonly address: string;
  readonly addressInside: string;
  stop(): Promise<void>;
  /** @throws Error if the calls of the sandbox differ from its contracts */
  verify(): Promise<void>;
}

/** Starts the sandbox with providers that give the minimal answers of its contracts. */
export async function startContracted(): Promise<ContractedSandbox> {
  const providers = await startFakeProviders(...contracts);
  const api = await startRegistryApi();
  const names = contracts.map(({ provider }) => provider.toUpperCase().replaceAll('-', '_'));
  const addresses = Object.fromEntries(names.map((name) => [`${name}_ADDRESS`, providers.address]));
  const running = await startTestService(service, {
    databaseUrl: 'postgresql://unused',
    variables: { SANDBOX: 'true', SANDBOX_API_URL: api.url, ...addresses },
  });
  const verify = async (): Promise<void> => {
    await running.stop();
    await api.stop();
    await providers.stop();
  };
  const { address, addressInside } = running;
  return { address, addressInside, verify, stop: () => verify().catch(() => undefined) };
}
