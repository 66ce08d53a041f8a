import { administrationOf } from './administration.ts';
import { readDemo, writeDemo, type Demo } from './demo-file.ts';
import { createDemo, nameRegistry, operatorOf, type DemoTarget } from './demo.ts';
import { writePrivateJson } from './private-file.ts';
import type { Stack } from './stack.ts';

/** The demonstration of a running stack, which `file` then describes. */
export async function demoOf(stack: Stack, file: string, print: (line: string) => void): Promise<Demo> {
  const administration = await administrationOf(stack);
  const { baseUrl, issuer, audience, clientsFile } = stack;
  const setClients = (clients: object[]): void => writePrivateJson(clientsFile, clients);
  try {
    const demo = await findOrCreate({ baseUrl, issuer, audience, administration, setClients }, readDemo(file), print);
    writeDemo(file, demo);
    return demo;
  } finally {
    administration.close();
  }
}

/** The demonstration of the last start if the system still has it, otherwise a new one. */
async function findOrCreate(
  target: DemoTarget,
  before: Demo | undefined,
  print: (line: string) => void,
): Promise<Demo> {
  const { baseUrl, issuer } = target;
  const known = before && (await isStillThere(before, baseUrl)) ? before : undefined;
  // A demonstration of an earlier release has a key of a time when every account holder could have one.
  if (known) await nameRegistry(target.administration, known.channels[0].accountHolderId);
  if (known?.issuer === issuer) return { ...known, baseUrl, registryBaseUrl: baseUrl };
  print('sample data: two sales channels with traders, facilities and certificates');
  return createDemo(target, known);
}

/** Whether the database behind the system is the one that the demonstration was made in. */
async function isStillThere({ channels }: Demo, baseUrl: string): Promise<boolean> {
  for (const channel of channels) {
    const { status, body } = await operatorOf({ baseUrl }, channel).send<{ salesChannelId?: string }>(
      'GET',
      '/user-services/users/me/saleschannel-binding',
    );
    if (status !== 200 || body.salesChannelId !== channel.salesChannelId) return false;
  }
  return true;
}
