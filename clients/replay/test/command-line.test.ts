import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runCommandLine } from '../src/command-line.ts';
import { readDemo, selectSetting, type Demo } from '../src/demo.ts';
import { createProgressWriter } from '../src/progress.ts';
import { startStack, type TestStack } from './support/stack.ts';

describe('the demo file', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'replay-demo-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function writeDemo(content: string): Promise<string> {
    const path = join(folder, 'demo.json');
    await writeFile(path, content);
    return path;
  }

  const channel = {
    salesChannelId: 'channel',
    accountHolderId: 'holder',
    traders: [
      { id: 'two', onboarded: false },
      { id: 'one', onboarded: true },
    ],
  };
  const channelInFile = { ...channel, users: [{ apiKeyId: 'user-key', passphrase: 'user-secret' }] };
  const demoInFile = {
    baseUrl: 'http://api',
    registryBaseUrl: 'http://registry',
    registryKey: { apiKey: 'registry-key', apiSecret: 'registry-secret' },
    channels: [channelInFile],
  };
  const channelOfDemo = { ...channel, users: [{ apiKey: { id: 'user-key', secret: 'user-secret' } }] };
  const demo: Demo = {
    ...demoInFile,
    registryKey: { id: 'registry-key', secret: 'registry-secret' },
    channels: [channelOfDemo],
  };

  test('a replay takes keys and parties from the first channel', async () => {
    const read = await readDemo(await writeDemo(JSON.stringify({ ...demoInFile, issuer: 'http://issuer' })));
    expect(read).toEqual(demo);
    expect(selectSetting(read)).toEqual({
      baseUrl: 'http://api',
      registryBaseUrl: 'http://registry',
      registryKey: { id: 'registry-key', secret: 'registry-secret' },
      userKey: { id: 'user-key', secret: 'user-secret' },
      listing: { accountHolderId: 'holder', salesChannelId: 'channel' },
      parties: { sellerId: 'one', buyerId: 'two' },
      traderIds: ['two', 'one'],
    });
  });

  test.each([
    [{}, '#/baseUrl is required'],
    [{ ...demoInFile, baseUrl: 'x' }, '#/baseUrl must be a URL'],
    [{ ...demoInFile, registryKey: undefined }, '#/registryKey is required'],
    [{ ...demoInFile, registryKey: { apiKey: '', apiSecret: 'x' } }, '#/registryKey/apiKey must not be empty'],
    [{ ...demoInFile, channels: [{ ...channel, users: [{}] }] }, '#/channels/0/users/0/apiKeyId is required'],
    [null, 'must be an object'],
  ])('the demo file %j is refused: %s', async (content, message) => {
    await expect(readDemo(await writeDemo(JSON.stringify(content)))).rejects.toThrow(message);
  });

  test('a demo file that is missing or not JSON is refused', async () => {
    await expect(readDemo(await writeDemo('{'))).rejects.toThrow('demo.json is not JSON');
    await expect(readDemo(join(folder, 'none.json'))).rejects.toThrow('none.json does not exist: start the stack');
    await expect(readDemo(folder)).rejects.toThrow('cannot be read');
  });

  test.each([
    [[], 'needs a sales channel with a user'],
    [[{ ...channelOfDemo, users: [] }], 'needs a sales channel with a user'],
    [[{ ...channelOfDemo, traders: channel.traders.slice(0, 1) }], 'needs an onboarded trader and a second one'],
    [[{ ...channelOfDemo, traders: channel.traders.slice(1) }], 'needs an onboarded trader and a second one'],
  ])('the channels %j are incomplete: %s', (channels, message) => {
    expect(() => selectSetting({ ...demo, channels })).toThrow(message);
  });
});

describe('progress', () => {
  const EVENTS_AT_MS = [0, 50, 200, 4_000, 6_000, 12_000];

  /** Output when progress is reported at these times. */
  function written(isTTY: boolean): string[] {
    const texts: string[] = [];
    let nowMs = 0;
    const writer = createProgressWriter({ isTTY, columns: 30, write: (text) => texts.push(text) }, () => nowMs);
    for (const atMs of EVENTS_AT_MS) {
      nowMs = atMs;
      writer.show({ phase: 'transfers', done: atMs, total: 12_000 });
    }
    writer.clear();
    return texts;
  }

  test('progress is a line every few seconds without a terminal', () => {
    expect(written(false)).toEqual([
      'moving certificates 0/12000, 0 s\n',
      'moving certificates 6000/12000, 6 s\n',
      'moving certificates 12000/12000, 12 s\n',
    ]);
  });

  test('progress is one line on a terminal, cut to its width and erased at the end', () => {
    const texts = written(true);
    expect(texts).toHaveLength(6);
    expect(texts[0]).toBe('\r\u001b[2Kmoving certificates 0/12000, ');
    expect(texts.at(-1)).toBe('\r\u001b[2K');
  });
});

describe('the command line', () => {
  /** Writes a demo file as `npm start` does, with the names of the public APIs. */
  async function writeDemoFile(path: string, { registryKey, channels, ...rest }: Demo): Promise<void> {
    const inFile = {
      ...rest,
      registryKey: { apiKey: registryKey.id, apiSecret: registryKey.secret },
      channels: channels.map((channel) => ({
        ...channel,
        users: channel.users.map(({ apiKey }) => ({ apiKeyId: apiKey.id, passphrase: apiKey.secret })),
      })),
    };
    await writeFile(path, JSON.stringify(inFile));
  }

  const SAMPLE = fileURLToPath(new URL('../sample/sample.csv', import.meta.url));

  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'replay-command-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  interface Run {
    readonly exitCode: number;
    readonly output: string;
    readonly errors: string;
  }

  /** Runs the command in this process. */
  async function run(...words: string[]): Promise<Run> {
    let output = '';
    let errors = '';
    const exitCode = await runCommandLine(words, {
      folders: ['/', folder],
      output: { write: (text) => (output += text) },
      errors: { write: (text) => (errors += text) },
      firstAnswerWithinMs: 100,
    });
    return { exitCode, output, errors };
  }

  /** A running stack with its demo file in the folder. @param changed differing members of the file */
  async function startStackWithFile(changed: Partial<Demo> = {}): Promise<TestStack> {
    const stack = await startStack();
    await writeDemoFile(join(folder, 'demo.json'), { ...stack.demo, ...changed });
    return stack;
  }

  test("a complete replay exits with 0, prints its report and finds files in the user's folder", async () => {
    await using _stack = await startStackWithFile();
    const { exitCode, output, errors } = await run(SAMPLE, '--demo', 'demo.json', '--concurrency', '2');
    expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
    expect(output).toContain(`Report on ${SAMPLE}\n`);
    expect(output).toContain('Every row is applied and all totals agree.\n');
  });

  test('with --json, standard output has only the report', async () => {
    await using _stack = await startStackWithFile();
    const { exitCode, output, errors } = await run(SAMPLE, '--demo', 'demo.json', '--json');
    expect(exitCode).toBe(0);
    expect(JSON.parse(output)).toMatchObject({ file: SAMPLE, ok: true, rows: { applied: 12 }, problems: [] });
    expect(errors).toContain('Every row is applied and all totals agree.\n');
  });

  test('an incomplete replay exits with 1 and states the reason', async () => {
    await using _stack = await startStackWithFile();
    const rows = 'registry,kind,batch,start,end,quantity,vintage\nr,retirement,b,1,2,3,2020\n';
    await writeFile(join(folder, 'bad.csv'), rows);
    const { exitCode, output } = await run('bad.csv', '--demo', 'demo.json');
    expect(exitCode).toBe(1);
    expect(output).toContain('line 2: quantity is 3, but end − start + 1 is 2\n');
    expect(output).toContain('NOT COMPLETE: 1 of 1 rows are bad\n');
  });

  test.each([
    [[], "replay: missing required argument 'file.csv'"],
    [['a', 'b'], 'replay: too many arguments. Expected 1 argument but got 2: a, b.'],
    [
      ['a', '--concurrency', '0'],
      "replay: option '--concurrency <number>' argument '0' is invalid. It must be a whole number from 1 to 256.",
    ],
    [
      ['a', '--concurrency', 'many'],
      "replay: option '--concurrency <number>' argument 'many' is invalid. It must be a whole number from 1 to 256.",
    ],
    [['a', '--demo'], "replay: option '--demo <file>' argument missing"],
    [['a', '--fast'], "replay: unknown option '--fast'"],
    [['a'], 'replay: /.local/demo.json does not exist: start the stack with "npm start", which writes it'],
  ])('the arguments %j are refused with one line', async (words, message) => {
    expect(await run(...words)).toEqual({ exitCode: 2, output: '', errors: `${message}\n` });
  });

  test('a missing file is named', async () => {
    await using _stack = await startStackWithFile();
    const { exitCode, errors } = await run('none.csv', '--demo', 'demo.json');
    expect(exitCode).toBe(2);
    expect(errors).toMatch(/^replay: \/none.csv cannot be read: .*\n$/);
  });

  test('a stopped stack is reported', async () => {
    await using _stack = await startStackWithFile({ baseUrl: 'http://127.0.0.1:1' });
    const { exitCode, errors } = await run(SAMPLE, '--demo', 'demo.json');
    expect(exitCode).toBe(2);
    expect(errors).toMatch(/^replay: the stack does not respond: GET http:\/\/127.0.0.1:1\/.* Start it with .*\n$/);
  });

  test('the help shows all options and an example', async () => {
    const { exitCode, output } = await run('--help');
    expect(exitCode).toBe(0);
    for (const word of ['<file.csv>', '--demo <file>', '--concurrency <number>', '--json', '-h, --help'])
      expect(output).toContain(word);
    expect(output).toContain('npm run replay -- clients/replay/sample/sample.csv');
  });

  test('as a program: help on standard output, errors on standard error, exit code', () => {
    const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
    const runMain = (...words: string[]) => spawnSync(process.execPath, [main, ...words], { encoding: 'utf8' });
    expect(runMain('--help')).toMatchObject({ status: 0, stderr: '' });
    expect(runMain('--fast')).toMatchObject({ status: 2, stdout: '', stderr: "replay: unknown option '--fast'\n" });
  });
});
