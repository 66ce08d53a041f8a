import type { HealthProbe } from '@saleschannel/grpc';

const CHECK_TIMEOUT_MS = 1_000;
/** However often it is asked for, the services behind are asked this often. */
const REMEMBERED_MS = 1_000;

/** Whether requests can be served: every service without which none can is there. */
export function createReadiness(
  probes: readonly HealthProbe[],
  now: () => number = () => performance.now(),
): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined;
  let askedAtMs = 0;
  return () => {
    if (!answer || now() - askedAtMs >= REMEMBERED_MS) {
      askedAtMs = now();
      answer = Promise.all(probes.map((probe) => probe.isServing(CHECK_TIMEOUT_MS))).then((states) =>
        states.every(Boolean),
      );
    }
    return answer;
  };
}
