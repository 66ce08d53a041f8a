-- Who sent an import: its lines are applied in the background, on their behalf. Null for imports from before.
alter table import add column actor jsonb;
