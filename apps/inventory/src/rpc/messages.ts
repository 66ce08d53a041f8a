/** The generated messages that this service speaks in, under short names. */
export type { ApplyResult } from '@saleschannel/contracts/gen/inventory/v1/ApplyResult';
export type { Issuance__Output } from '@saleschannel/contracts/gen/inventory/v1/Issuance';
export type { ProductionFacility } from '@saleschannel/contracts/gen/inventory/v1/ProductionFacility';
export type {
  RegistryFacility,
  RegistryFacility__Output,
} from '@saleschannel/contracts/gen/inventory/v1/RegistryFacility';
export type { Supplier } from '@saleschannel/contracts/gen/inventory/v1/Supplier';
