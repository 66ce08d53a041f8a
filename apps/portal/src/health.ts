import type { Upstream } from '@saleschannel/edge/pages';
import { createReadiness } from '@saleschannel/runtime';
import { Router } from 'express';

const PROBE_TIMEOUT_MS = 1_000;
const READINESS_OF_API = '/readyz';

export interface HealthOptions {
  readonly upstream: Upstream;
  isDraining(): boolean;
}

/** Whether the process lives, and whether the API behind it can be used. */
export function healthRoutes({ upstream, isDraining }: HealthOptions): Router {
  const isApiReady = createReadiness([() => upstream.isReady(READINESS_OF_API, PROBE_TIMEOUT_MS)]);
  const router = Router();
  router.get('/healthz', (_request, response) => void response.set('Cache-Control', 'no-store').json({ status: 'up' }));
  router.get('/readyz', async (_request, response) => {
    const isReady = !isDraining() && (await isApiReady());
    response
      .status(isReady ? 200 : 503)
      .set('Cache-Control', 'no-store')
      .json({ status: isReady ? 'up' : 'down' });
  });
  return router;
}
