import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { Pool } from 'pg';

/**
 * The reference of `reads`, frozen: a process that answers `GET /<id>` with one prepared read of a row by its key, and
 * an Express server that says hello. It runs as a child process and reports its address.
 */

const CONNECTIONS = 8;
const HOST = '127.0.0.1';

const pool = new Pool({ connectionString: process.env['BENCH_READS_URL'], max: CONNECTIONS });

const rows = createServer((request, response) => {
  const id = request.url?.slice(1);
  pool
    .query({
      name: 'read',
      text: 'select id, status, idempotency_key, message, transaction_id from task where id = $1',
      values: [id],
    })
    .then(({ rows: [row] }) => {
      const body = JSON.stringify(row);
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
      response.end(body);
    })
    .catch(() => response.destroy());
});

const app = express();
app.disable('x-powered-by').disable('etag');
app.get('/hello', (_request, response) => void response.json({ hello: 'world' }));

const getPort = (address: AddressInfo | string | null): number => (address as AddressInfo).port;

rows.listen(0, HOST, () => {
  const hello = app.listen(0, HOST, () =>
    process.send?.({ row: getPort(rows.address()), hello: getPort(hello.address()) }),
  );
});
