-- Every list of a channel or a trader is made of one part for each type and status, so none passes by what it does not
-- want. The index of a channel's transactions of all kinds has no reader left.
drop index transaction_of_channel;
drop index transaction_of_seller;
create index transaction_of_seller on ledger_transaction (seller_id, type, status, created_at, id)
  where seller_id is not null;
drop index transaction_of_buyer;
create index transaction_of_buyer on ledger_transaction (buyer_id, status, created_at, id) where type = 'TRADE';
