import type { Command } from 'commander';
import { DomainError, type Violation } from '@saleschannel/errors';

const UNAVAILABLE =
  'A service cannot be reached. Check that all services are running and that IDENTITY_ADDRESS, RBAC_ADDRESS, ' +
  'TRADERS_ADDRESS, INVENTORY_ADDRESS, REGISTRY_IMPORT_ADDRESS and WEBHOOKS_ADDRESS are right.';
const UNAUTHENTICATED = 'The services do not accept this key. SERVICE_PRIVATE_KEY must be that of "admin".';

/** Why a command failed, for whoever typed it. */
export function wordsOf(error: unknown, command: Command): string {
  if (!(error instanceof Error)) return String(error);
  if (!(error instanceof DomainError)) return error.message;
  if (error.code === 'unavailable') return UNAVAILABLE;
  if (error.code === 'unauthenticated') return UNAUTHENTICATED;
  return [error.message, ...error.violations.map((violation) => `  ${lineOf(violation, command)}`)].join('\n');
}

const lineOf = (violation: Violation, command: Command): string => {
  const field = fieldOf(violation);
  return field === undefined ? violation.detail : `${optionOf(field, command) ?? field} ${violation.detail}`;
};

const fieldOf = ({ pointer, parameter }: Violation): string | undefined => parameter ?? pointer?.split('/').at(-1);

/** The option behind a field: `postalCode` is `--postal-code`, `accountHolderId` is `--account-holder`. */
const optionOf = (field: string, command: Command): string | undefined =>
  command.options.find((option) => [field, field.replace(/Id$/, '')].includes(option.attributeName()))?.long;
