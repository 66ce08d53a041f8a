import { connectAdministration } from './administration.ts';
import { readDemo, writeDemo, type Demo } from './demo-file.ts';
import { createDemo, nameRegistry, type DemoTarget } from './demo.ts';
import { ensurePeople } from './people.ts';
import { writePrivateJson } from './private-file.ts';
import { followResets, hasDemo, renewKeys } from './renew-demo.ts';
import type { Stack } from './stack.ts';

/** Creates or renews the demonstration of a running stack, and writes it to `file`. */
export async function prepareDemo(stack: Stack, file: string, print: (line: string) => void): Promise<Demo> {
  const administration = await connectAdministration(stack);
  const { baseUrl, issuer, audience, clientsFile, webClients } = stack;
  const setClients = (clients: object[]): void => writePrivateJson(clientsFile, [...webClients, ...clients]);
  try {
    const demo = await findOrCreate({ baseUrl, issuer, audience, administration, setClients }, readDemo(file), print);
    writeDemo(file, demo);
    if (stack.portalUrl !== undefined) await ensurePeople({ administration, issuer }, demo);
    return demo;
  } finally {
    administration.close();
  }
}

/** Returns the demonstration of the last start if it still exists, otherwise a new one. */
async function findOrCreate(
  target: DemoTarget,
  before: Demo | undefined,
  print: (line: string) => void,
): Promise<Demo> {
  const { baseUrl, issuer } = target;
  const known = before && (await hasDemo(before, target)) ? before : undefined;
  // Earlier releases let every account holder have a registry key.
  if (known) await nameRegistry(target.administration, known.channels[0].accountHolderId);
  if (known?.issuer === issuer)
    return followResets(target, await renewKeys(target, { ...known, baseUrl, registryBaseUrl: baseUrl }));
  print('sample data: creating two sales channels with traders, facilities and certificates');
  return createDemo(target, known);
}
