-- Users with a role, in the order of their ids, however few they are.
create index binding_role_by_role on binding_role (role, user_id);
