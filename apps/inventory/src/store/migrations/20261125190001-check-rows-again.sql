-- Reads every row against the checks of the migration before. Writers go on meanwhile.
alter table bundle validate constraint bundle_fits;
alter table ledger_transaction validate constraint transaction_fits;
alter table transaction_line validate constraint line_fits;
