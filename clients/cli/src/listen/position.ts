import type { SalesChannel } from '@saleschannel/sdk';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { UsageError } from '../context.ts';
import { readPrivateFile, writePrivateFile } from '../private-file.ts';

/** Position up to which a target was served. Without `position`, start at the first event. */
export interface ListenPosition {
  readonly position?: string | undefined;
  /** Last forwarded event. */
  readonly eventId?: string | undefined;
  /** Service that the position belongs to. */
  readonly baseUrl?: string | undefined;
}

export interface ListenTarget {
  readonly profile: string;
  readonly baseUrl: string;
  readonly target: string;
}

/** Stores the position of a target, per profile. */
export class PositionStore {
  readonly #file: string;
  readonly #route: ListenTarget;

  constructor(folder: string, route: ListenTarget) {
    this.#route = route;
    const { profile, target } = route;
    const name = createHash('sha256').update(`${profile}\n${target}`).digest('hex').slice(0, 32);
    this.#file = join(folder, `listen-${name}.json`);
  }

  /**
   * Undefined if nothing was forwarded yet.
   * @throws UsageError if the position belongs to another service
   */
  read(): ListenPosition | undefined {
    const stored = readPrivateFile(this.#file) as ListenPosition | undefined;
    const { profile, baseUrl, target } = this.#route;
    if (stored?.baseUrl === undefined || stored.baseUrl === baseUrl) return stored;
    const why = `The profile ${profile} has forwarded events of ${stored.baseUrl} to ${target}`;
    throw new UsageError(`${why}. Use another --profile for ${baseUrl}, or delete ${this.#file}.`);
  }

  save(position: ListenPosition): ListenPosition {
    writePrivateFile(this.#file, { ...position, baseUrl: this.#route.baseUrl });
    return position;
  }

  /** Current end of the log. */
  async readEnd(client: SalesChannel, signal: AbortSignal): Promise<ListenPosition> {
    const query = { $orderBy: { createdAt: 'desc' as const }, $limit: 1 };
    const [newest] = await client.request('listEvents', { query, signal });
    return newest ? { position: client.events.positionOf(newest), eventId: newest.id } : {};
  }
}
