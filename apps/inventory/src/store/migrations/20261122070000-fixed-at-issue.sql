-- What a certificate id is made of is fixed when it is issued.

-- Codes that differ in nothing but case cannot become one facility by themselves: certificates may bear either.
do $$
declare
  codes text;
begin
  select string_agg(code, ', ' order by lower(code collate "C"), code) into codes from production_facility
  where lower(code collate "C") in (
    select lower(code collate "C") from production_facility group by lower(code collate "C") having count(*) > 1
  );
  if codes is not null then
    raise exception 'facility codes must differ in more than case, and these do not: %', codes
      using errcode = 'unique_violation',
      hint = 'Give all but one of each another code (update production_facility set code = ...), then migrate again.';
  end if;
end $$;

create unique index facility_code_in_any_case on production_facility (lower(code collate "C"));
-- What issuances refer to. Their references refuse a change of it.
alter table production_facility add constraint facility_as_issued unique (id, code, country_code);

alter table issuance
  add column facility_code text,
  add column country_code text,
  add column gsrn text,
  add column supplier_id text references supplier;
alter table issuance disable trigger issuance_append_only;
update issuance set
  facility_code = facility.code, country_code = facility.country_code, gsrn = facility.gsrn,
  supplier_id = facility.supplier_id
from production_facility as facility where facility.id = issuance.facility_id;
alter table issuance enable trigger issuance_append_only;
alter table issuance
  alter column facility_code set not null,
  alter column country_code set not null,
  alter column supplier_id set not null,
  add constraint issuance_as_the_facility_was
    foreign key (facility_id, facility_code, country_code) references production_facility (id, code, country_code);
create index issuance_fixes_facility on issuance (facility_id, facility_code, country_code);

create function guard_facility() returns trigger language plpgsql as $$
begin
  raise exception 'a facility keeps its id, its code, and a GSRN that it has'
    using errcode = 'integrity_constraint_violation';
end $$;
create trigger facility_guard
  before update on production_facility for each row
  when (new.id <> old.id or new.code <> old.code or new.gsrn is distinct from old.gsrn and old.gsrn is not null)
  execute function guard_facility();

-- So the id of a supplier tells its name for ever.
create trigger supplier_append_only
  before update or delete on supplier for each row execute function refuse_change();
create trigger supplier_no_truncate
  before truncate on supplier for each statement execute function refuse_change();
create trigger facility_no_truncate
  before truncate on production_facility for each statement execute function refuse_change();
