-- Public statements of earlier releases. It stands alone: retirements go on while it runs.
update retirement_statement as statement
  set folded_beneficiary = folded_name(transaction.retirement ->> 'beneficiaryName')
  from ledger_transaction as transaction
  where transaction.id = statement.transaction_id
    and statement.publication = 'PUBLIC' and statement.folded_beneficiary is null;
