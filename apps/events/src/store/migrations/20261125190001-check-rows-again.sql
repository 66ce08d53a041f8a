-- Reads every row against the check of the migration before. Appending goes on meanwhile.
alter table event validate constraint event_fits;
