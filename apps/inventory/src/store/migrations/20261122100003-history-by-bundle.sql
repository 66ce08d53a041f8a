-- The history of a certificate goes from bundle to bundle, and reads of each the lines that hold the certificate.
drop index line_of_certificate;
create index line_of_bundle on transaction_line (bundle_id, first);
-- Few transactions leave something before what they take, and few bundles become one again.
create index line_leaving_bundle on transaction_line (before_bundle_id) where before_bundle_id is not null;
create index merge_into_bundle on bundle_merge (into_bundle_id, last, first);
