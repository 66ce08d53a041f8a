import { planTests } from '@saleschannel/testing/plan-tests';
import { listAccountHolders, searchAccountHolders } from '../src/store/account-holders.ts';
import { listErrors, listImports } from '../src/store/imports.ts';
import { schema } from '../src/store/schema.ts';

/** 40,000 account holders, ten of them with a rare name. 30,000 imports, one of them with 30,000 errors. */
const fill = `
  insert into account_holder (id, business_id, name, postal_code, city, country, street1, auto_approval)
  select 'holder-' || n, 'BUSINESS-' || n, case when n > 39990 then 'Zebra ' else 'Holder ' end || n,
    '1', 'c', 'NO', 's', true
  from generate_series(1, 40000) as n;
  insert into import (id, format, status, completed_at, errors_stored)
  select 'import-' || n, 'ndjson', 'FAILED', now(), 0 from generate_series(1, 30000) as n;
  insert into import_error (import_id, line, code, detail)
  select case when n % 3 = 0 then 'import-' || n else 'import-7' end, n, 'json', 'The line is not JSON.'
  from generate_series(1, 45000) as n;
`;

planTests({
  schema,
  fill,
  lists: {
    'account holders': (em, page) => listAccountHolders(em, {}, page),
    'account holders by business id': (em, page) => listAccountHolders(em, { businessId: 'BUSINESS-40000' }, page),
    'account holders by the beginning of a name that few have': (em, page) =>
      listAccountHolders(em, { name: 'zEBRA' }, page),
    'account holders by both': (em, page) =>
      listAccountHolders(em, { name: 'zebra', businessId: 'BUSINESS-40000' }, page),
    'account holders by a business id and a common prefix of the name': (em, page) =>
      listAccountHolders(em, { name: 'holder', businessId: 'BUSINESS-30000' }, page),
    'account holders by a rare part of the name': (em, page) => listAccountHolders(em, { namePart: 'ÉBRa' }, page),
    'account holders by a part and a prefix of the name': (em, page) =>
      listAccountHolders(em, { namePart: 'bra', name: 'zebra' }, page),
    imports: listImports,
    'errors of an import with many': (em, page) => listErrors(em, 'import-7', page),
    'errors of an import with one': (em, page) => listErrors(em, 'import-30', page),
  },
  others: {
    'account holders that operators search by a part of the name': (em) =>
      searchAccountHolders(em, { limit: 20, namePart: 'ebra' }),
  },
});
