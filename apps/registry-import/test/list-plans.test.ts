import { planTests } from '@saleschannel/testing/plan-tests';
import { pageOfAccountHolders } from '../src/store/account-holders.ts';
import { pageOfErrors, pageOfImports } from '../src/store/imports.ts';
import { schema } from '../src/store/schema.ts';
import { findAccountHolders } from '../src/store/standing.ts';

/** 40,000 account holders, ten of them with another beginning of their name. 30,000 imports, one with 30,000 errors. */
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
    'account holders': (em, asked) => pageOfAccountHolders(em, {}, asked),
    'account holders by business id': (em, asked) => pageOfAccountHolders(em, { businessId: 'BUSINESS-40000' }, asked),
    'account holders by the beginning of a name that few have': (em, asked) =>
      pageOfAccountHolders(em, { name: 'zEBRA' }, asked),
    'account holders by both': (em, asked) =>
      pageOfAccountHolders(em, { name: 'zebra', businessId: 'BUSINESS-40000' }, asked),
    'account holders by a business id and the beginning of a name that all have': (em, asked) =>
      pageOfAccountHolders(em, { name: 'holder', businessId: 'BUSINESS-30000' }, asked),
    'account holders by a part of a name that few have': (em, asked) =>
      pageOfAccountHolders(em, { namePart: 'ÉBRa' }, asked),
    'account holders by a part and the beginning of a name': (em, asked) =>
      pageOfAccountHolders(em, { namePart: 'bra', name: 'zebra' }, asked),
    imports: pageOfImports,
    'errors of an import that has many': (em, asked) => pageOfErrors(em, 'import-7', asked),
    'errors of an import that has one': (em, asked) => pageOfErrors(em, 'import-30', asked),
  },
  others: {
    'account holders whom an operator finds by a part of a name': (em) =>
      findAccountHolders(em, { limit: 20, namePart: 'ebra' }),
  },
});
