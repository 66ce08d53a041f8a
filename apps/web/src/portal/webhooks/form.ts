import type { Schemas } from '../../shared/api/client.ts';
import { readText } from '../../shared/ui/form-text.ts';
import type { Endpoint, EventType } from './endpoints.ts';

export const eventTypes: readonly EventType[] = ['TRANSACTION_STATUS_CHANGE'];

/** Error pointers of the API for an endpoint. */
export const pointers: readonly string[] = ['/url', '/description', '/eventTypes', '/ordered'];

export const URL_AT_MOST = 2_048;
export const DESCRIPTION_AT_MOST = 200;

/** Reads an endpoint from the form. */
export const readEndpoint = (form: FormData) => ({
  url: readText(form, 'url') ?? String(),
  description: readText(form, 'description') ?? null,
  eventTypes: form.get('which') === 'chosen' ? (form.getAll('eventTypes') as EventType[]) : null,
  ordered: form.get('ordered') === 'yes',
});

const sameTypes = (one: readonly string[] | null, other: readonly string[] | null): boolean =>
  one?.toSorted().join() === other?.toSorted().join();

/** Changes to an endpoint. */
export function diffEndpoint(form: FormData, before: Endpoint): Schemas['WebhookEndpointUpdate'] {
  const { url, description, eventTypes: types, ordered } = readEndpoint(form);
  return {
    ...(url !== before.url && { url }),
    ...(description !== before.description && { description }),
    ...(!sameTypes(types, before.eventTypes) && { eventTypes: types }),
    ...(ordered !== before.ordered && { ordered }),
  };
}

/** Time of an input, interpreted as UTC. Undefined if empty. */
export function readUtcTime(form: FormData, name: string): string | undefined {
  const typed = readText(form, name);
  return typed === undefined ? undefined : new Date(`${typed}Z`).toISOString();
}

/** Time in the format of inputs, to the minute. */
export const formatInputTime = (ms: number): string => new Date(ms).toISOString().slice(0, 16);
