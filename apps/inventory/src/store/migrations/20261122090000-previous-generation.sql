-- Clients of the previous generation of the API name certificates without their issuance: by serials of the old form,
-- which a GSRN of 18 digits leads. The issuances of a serial are found by this index, however many there are.
create index issuance_of_old_serial on issuance using gist (numrange(first_serial, last_serial, '[]'))
  where serial_width > 18;

-- Their selections may begin within a bundle. What lay before them is then a bundle of its own.
alter table transaction_line
  add column before_bundle_id bigint,
  add constraint line_leaves_what_lay_before
    check ((before_bundle_id is not null) = coalesce(source_first < first, false));
