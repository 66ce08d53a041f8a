import { sql, type PreparingClient } from '@saleschannel/database';

const SIGN_OF_LIFE_MS = 2_000;
export const SIGN_OF_LIFE = sql`select`;

/** While the broker takes its time, the session shows that the relay is there. */
export async function withSignsOfLife<T>(client: PreparingClient, work: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => void client.run(SIGN_OF_LIFE).catch(() => undefined), SIGN_OF_LIFE_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
