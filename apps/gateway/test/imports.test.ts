import { Agent, request as send, type ClientRequest, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DomainError } from '@saleschannel/errors';
import { eventually } from '@saleschannel/testing';
import { fakes } from './support/fakes.ts';
import { expectProblem, passTurns } from './support/http.ts';
import { startSystem, type System } from './support/system.ts';

let system: System;
const agent = new Agent();
beforeAll(async () => {
  system = await startSystem();
});
afterAll(async () => {
  agent.destroy();
  await system.stop();
});
beforeEach(() => {
  Object.assign(system.rpcs.registryImport, fakes.registryImport);
});

const PATH = '/Registry/api/imports';
const registryHeaders = () => ({
  Authorization: system.registryKey().authorization,
  'Content-Type': 'application/x-ndjson',
});

/** Opens an import whose body the test writes. */
function openImport(onAnswer?: (answer: IncomingMessage) => void): ClientRequest {
  const [host = '', port = ''] = system.address.split(':');
  return send({ host, port, method: 'POST', path: PATH, agent, headers: registryHeaders() }, onAnswer);
}

describe('an import', () => {
  const start = (body: Buffer | undefined, headers: Record<string, string> = {}, query = '') =>
    system.raw({
      method: 'POST',
      path: `${PATH}${query}`,
      headers: { ...registryHeaders(), ...headers },
      body,
      chunked: true,
    });

  test('streams a file of any length, with its type first', async () => {
    const seen = { header: undefined as unknown, bytes: 0, largest: 0 };
    system.rpcs.registryImport['StartImport'] = async (parts) => {
      for await (const { header, data } of parts as unknown as AsyncIterable<{ header?: unknown; data?: Buffer }>) {
        if (header) seen.header = header;
        else {
          seen.bytes += data?.length ?? 0;
          seen.largest = Math.max(seen.largest, data?.length ?? 0);
        }
      }
      return {
        importId: 'm/1',
        status: 'RUNNING',
        linesRead: 1,
        linesApplied: 1,
        linesFailed: 0,
        createdAt: '2025-03-04T10:02:11.318Z',
      };
    };
    const answer = await start(
      Buffer.alloc(20_000_000, 'x'),
      { 'Content-Type': 'text/csv; charset=utf-8' },
      '?type=issuance',
    );
    expect([answer.status, answer.headers.location]).toEqual([202, '/Registry/api/imports/m%2F1']);
    expect(seen).toMatchObject({ header: { contentType: 'text/csv', type: 'issuance' }, bytes: 20_000_000 });
    expect(seen.largest).toBeLessThanOrEqual(65_536);
  });

  test('waits for a slow service', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let bytes = 0;
    system.rpcs.registryImport['StartImport'] = async (parts) => {
      for await (const { data } of parts as unknown as AsyncIterable<{ data?: Buffer }>) {
        bytes += data?.length ?? 0;
        if (bytes > 0) await held;
      }
      return { importId: 'm1', status: 'COMPLETED', createdAt: '2025-03-04T10:02:11.318Z' };
    };
    const finished = new Promise<IncomingMessage>((resolve, reject) => {
      const request = openImport(resolve);
      request.on('error', reject);
      const piece = Buffer.alloc(1_000_000, 'x');
      let left = 60;
      const write = (): void => {
        while (left > 0) {
          left -= 1;
          if (!request.write(piece)) return void request.once('drain', write);
        }
        request.end(() => (allWritten = true));
      };
      write();
    });
    let allWritten = false;
    await eventually(async () => bytes > 0);
    // Each turn reads at least 64 KB: without waiting, the gateway would have read the whole file.
    await passTurns(10_000);
    expect(allWritten).toBe(false);
    release();
    expect((await finished).resume().statusCode).toBe(202);
    expect(bytes).toBe(60_000_000);
  });

  test('of an unknown type is rejected', async () => {
    const answer = await start(Buffer.from('x'), { 'Content-Type': 'text/csv' }, '?type=x');
    expect(expectProblem(answer, 400, 'invalid-request').errors).toEqual([
      expect.objectContaining({ parameter: 'type', code: 'enum' }),
    ]);
  });

  test('of another media type is rejected, and the rest of the file is discarded', async () => {
    expectProblem(
      await start(Buffer.alloc(5_000_000, 'x'), { 'Content-Type': 'application/json' }),
      415,
      'unsupported-media-type',
    );
  });

  test('that the service rejects midway gets its response', async () => {
    system.rpcs.registryImport['StartImport'] = async () => {
      throw new DomainError('unavailable', 'away');
    };
    expectProblem(await start(Buffer.alloc(5_000_000, 'x')), 503, 'unavailable');
  });

  test('cancels the call if its sender disconnects', async () => {
    const state = { started: false, ended: false };
    system.rpcs.registryImport['StartImport'] = async (parts, call) => {
      call.signal.addEventListener('abort', () => (state.ended = true));
      for await (const _part of parts as unknown as AsyncIterable<unknown>) state.started = true;
      return { importId: 'm1' };
    };
    const request = openImport();
    request.on('error', () => undefined).write('{}\n');
    await eventually(async () => state.started);
    request.destroy();
    await eventually(async () => state.ended, 'the end of the call');
  });

  describe('whose key is deleted during the upload', () => {
    let clock = 0;
    let lasting: System;
    beforeAll(async () => {
      lasting = await startSystem({}, { now: () => clock });
    });
    afterAll(() => lasting.stop());

    /** An open upload, with the messages that the service has received. */
    async function upload() {
      const seen = { bytes: 0, isComplete: false, isEnded: false };
      lasting.rpcs.registryImport['StartImport'] = async (parts, call) => {
        call.signal.addEventListener('abort', () => (seen.isEnded = true));
        for await (const { data, end } of parts as unknown as AsyncIterable<{ data?: Buffer; end?: unknown }>) {
          seen.bytes += data?.length ?? 0;
          if (end) seen.isComplete = true;
        }
        return { importId: 'm1', status: 'PENDING', createdAt: '2025-03-04T10:02:11.318Z' };
      };
      const { authorization, userId } = lasting.registryKey();
      const { promise: answer, resolve, reject } = Promise.withResolvers<IncomingMessage>();
      const [host = '', port = ''] = lasting.address.split(':');
      const headers = { Authorization: authorization, 'Content-Type': 'application/x-ndjson' };
      const request = send({ host, port, method: 'POST', path: PATH, agent, headers }, resolve);
      request.on('error', reject);
      request.write('{}\n');
      await eventually(async () => seen.bytes === 3, 'the first piece');
      return { seen, request, answer, deleteKey: () => lasting.credentials.basic.delete(`${userId}:se:cret`) };
    }

    test('is rejected before it begins, and nothing is applied', async () => {
      const { seen, request, answer, deleteKey } = await upload();
      deleteKey();
      request.end('{}\n');
      const refused = (await answer).resume();
      expect([refused.statusCode, refused.headers['www-authenticate']]).toEqual([401, expect.any(String)]);
      await eventually(async () => seen.isEnded, 'the end of the call');
      expect(seen.isComplete).toBe(false);
    });

    test('is rejected midway, two seconds later', async () => {
      const { seen, request, answer, deleteKey } = await upload();
      deleteKey();
      request.write('{}\n');
      await eventually(async () => seen.bytes === 6, 'a piece within two seconds');
      clock += 2_001;
      request.write('{}\n');
      expect((await answer).resume().statusCode).toBe(401);
      await eventually(async () => seen.isEnded, 'the end of the call');
      expect(seen).toMatchObject({ bytes: 6, isComplete: false });
      request.destroy();
    });

    test('goes on while identity does not answer, and is accepted if it answers at the end', async () => {
      const { seen, request, answer } = await upload();
      const { Authenticate } = lasting.rpcs.identity;
      lasting.rpcs.identity['Authenticate'] = () => Promise.reject(new DomainError('unavailable', 'away'));
      clock += 2_001;
      request.write('{}\n');
      await eventually(async () => seen.bytes === 6, 'a piece that nobody could check');
      if (Authenticate) lasting.rpcs.identity['Authenticate'] = Authenticate;
      request.end();
      expect((await answer).resume().statusCode).toBe(202);
    });
  });
});
