import type { Schemas } from '../../shared/api/client.ts';
import { textOf } from '../../shared/ui/form-text.ts';
import type { Endpoint, EventType } from './endpoints.ts';

export const eventTypes: readonly EventType[] = ['TRANSACTION_STATUS_CHANGE'];

/** Where the API points at in an endpoint. */
export const pointers: readonly string[] = ['/url', '/description', '/eventTypes', '/ordered'];

export const URL_AT_MOST = 2_048;
export const DESCRIPTION_AT_MOST = 200;

/** An endpoint as the form has it. */
export const endpointOf = (form: FormData) => ({
  url: textOf(form, 'url') ?? String(),
  description: textOf(form, 'description') ?? null,
  eventTypes: form.get('which') === 'chosen' ? (form.getAll('eventTypes') as EventType[]) : null,
  ordered: form.get('ordered') === 'yes',
});

const sameTypes = (one: readonly string[] | null, other: readonly string[] | null): boolean =>
  one?.toSorted().join() === other?.toSorted().join();

/** What the form changes of an endpoint. */
export function changesOf(form: FormData, before: Endpoint): Schemas['WebhookEndpointUpdate'] {
  const { url, description, eventTypes: types, ordered } = endpointOf(form);
  return {
    ...(url !== before.url && { url }),
    ...(description !== before.description && { description }),
    ...(!sameTypes(types, before.eventTypes) && { eventTypes: types }),
    ...(ordered !== before.ordered && { ordered }),
  };
}

/** A time of an input, which is meant as UTC. Undefined: none was chosen. */
export function utcOf(form: FormData, name: string): string | undefined {
  const typed = textOf(form, name);
  return typed === undefined ? undefined : new Date(`${typed}Z`).toISOString();
}

/** A time as an input takes it, to the minute. */
export const inputTime = (ms: number): string => new Date(ms).toISOString().slice(0, 16);
