import { defineEntity, p } from '@mikro-orm/postgresql';

const SupplierSchema = defineEntity({
  name: 'Supplier',
  tableName: 'supplier',
  properties: {
    id: p.string().primary(),
    name: p.string(),
    countryCode: p.string(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class Supplier extends SupplierSchema.class {}
SupplierSchema.setClass(Supplier);

const ProductionFacilitySchema = defineEntity({
  name: 'ProductionFacility',
  tableName: 'production_facility',
  properties: {
    id: p.string().primary(),
    code: p.string(),
    gsrn: p.string().nullable(),
    name: p.string(),
    countryCode: p.string(),
    methodologyCodes: p.json<string[]>(),
    supplier: () => p.manyToOne(Supplier),
    creditingStart: p.datetime().nullable(),
    creditingEnd: p.datetime().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p
      .datetime()
      .defaultRaw('now()')
      .onUpdate(() => new Date()),
  },
});
export class ProductionFacility extends ProductionFacilitySchema.class {}
ProductionFacilitySchema.setClass(ProductionFacility);
