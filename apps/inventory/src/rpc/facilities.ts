import { parseActor } from '@saleschannel/audit';
import { notFound } from '@saleschannel/errors';
import { readerOf, type ResponseOf, type Rpc } from '@saleschannel/grpc';
import { idToFind, parse, readChannelPage, readPage, searchText } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { facility } from '../domain/facility.ts';
import { applyEach, applyFacilities as apply } from '../operations/apply-records.ts';
import {
  selectFacilities,
  findFacility,
  findFacilityByCode,
  findSupplier,
  selectFacilitiesWithTotal,
  type FacilityRow,
} from '../store/facilities.ts';

/** A facility as sales channels see it. */
const toChannelFacility = (row: FacilityRow): ResponseOf<'inventory.GetProductionFacility'> => ({
  id: row.id,
  gsrn: row.gsrn ?? undefined,
  code: row.code,
  name: row.name,
  countryCode: row.countryCode,
  methodologyCodes: row.methodologyCodes,
});

/** A facility as the registry sees it. */
const toRegistryFacility = (row: FacilityRow): ResponseOf<'ledger.GetFacility'> => ({
  id: row.id,
  code: row.code,
  gsrn: row.gsrn ?? undefined,
  name: row.name,
  country: row.countryCode,
  methodologyCodes: row.methodologyCodes,
  supplier: row.supplierName,
  supplierId: row.supplierId,
  creditingPeriod:
    row.creditingStart !== null && row.creditingEnd !== null
      ? { start: row.creditingStart, end: row.creditingEnd }
      : null,
});

export const getProductionFacility: Rpc<'inventory.GetProductionFacility', Context> =
  ({ database }) =>
  async ({ productionFacilityId }) => {
    const row = await findFacility(database.em(), idToFind(productionFacilityId));
    if (!row) throw notFound();
    return toChannelFacility(row);
  };

export const listProductionFacilities: Rpc<'inventory.ListProductionFacilities', Context> = ({ reads }) =>
  async function* (_request, call) {
    const pages = reads.list(readerOf(call), (em, page) => selectFacilities(em, page));
    for await (const rows of pages) yield* rows.map(toChannelFacility);
  };

const filterSchema = z.object({ namePart: searchText.optional() });

export const pageProductionFacilities: Rpc<'inventory.PageProductionFacilities', Context> =
  ({ reads }) =>
  async (request, call) => {
    const { namePart } = parse(filterSchema, request, 'The facilities cannot be listed this way.');
    const page = readChannelPage(request.page);
    const { rows, next } = await reads.page(readerOf(call), (em) => selectFacilities(em, page, namePart));
    return { facilities: rows.map(toChannelFacility), next };
  };

export const getSupplier: Rpc<'inventory.GetSupplier', Context> =
  ({ database }) =>
  async ({ supplierId }) => {
    const supplier = await findSupplier(database.em(), idToFind(supplierId));
    if (!supplier) throw notFound();
    return supplier;
  };

export const getFacility: Rpc<'ledger.GetFacility', Context> =
  ({ database }) =>
  async ({ code }) => {
    const row = await findFacilityByCode(database.em(), idToFind(code));
    if (!row) throw notFound();
    return toRegistryFacility(row);
  };

export const listFacilities: Rpc<'ledger.ListFacilities', Context> =
  ({ reads }) =>
  async (request, call) => {
    const page = readPage(request.page);
    const { total, next, rows } = await reads.page(readerOf(call), (em) => selectFacilitiesWithTotal(em, page));
    return { total, next, facilities: rows.map(toRegistryFacility) };
  };

export const applyFacilities: Rpc<'ledger.ApplyFacilities', Context> =
  ({ database }) =>
  ({ facilities, actor, ...fence }, call) =>
    applyEach(facility, facilities, (valid) => apply(database, valid, parseActor(actor, call), fence));
