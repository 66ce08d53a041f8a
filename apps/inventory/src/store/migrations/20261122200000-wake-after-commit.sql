-- Whoever commits wakes the relay afterwards (ADR 29).
drop trigger outbox_wakes_relay on outbox;
drop function wake_outbox_relay();
