import { plainPage } from './plain-page.ts';

/** For people who open the address of the service in a browser. */
export const startPage = plainPage(
  'Sales Channel Service',
  `<p>This is an API for programs: it onboards traders, shows what they own, and trades, retires or offramps
  carbon-removal certificates.</p>
  <ul>
    <li><a href="/docs">Documentation</a></li>
    <li><a href="/docs/api">The API, to read and to try</a></li>
    <li><a href="/openapi.yaml">Its contract (OpenAPI 3.1)</a></li>
    <li><a href="/readyz">Whether the service is ready</a></li>
  </ul>`,
);
