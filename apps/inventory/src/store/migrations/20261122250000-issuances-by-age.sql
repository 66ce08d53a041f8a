-- What is taken from the oldest issuances on. Only imports write to it.
create index issuance_by_issuing_date on issuance (issuing_date, id);
