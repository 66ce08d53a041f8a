-- Outside a transaction: users sign in for the first time while their subjects are indexed.
drop index concurrently if exists app_user_by_part_of_subject;
create index concurrently app_user_by_part_of_subject on app_user
  using gin (name_parts('', folded_name(subject)));
