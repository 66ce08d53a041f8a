-- The form in which texts are compared wherever sameness is judged, as toComparisonKey of libs/validation makes it:
-- without default-ignorable characters (UAX 44), trimmed, in NFC. Rows that an older release stored in another form are
-- found by it too.
create function comparison_key(value text) returns text language sql immutable strict parallel safe
return normalize(
  btrim(
    regexp_replace(
      value,
      '[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164'
        '\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFF8\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]',
      '', 'g'
    ),
    -- White space, and the Braille pattern without a dot.
    U&'\0009\000A\000B\000C\000D\0020\0085\00A0\1680\2000\2001\2002\2003\2004\2005\2006\2007\2008\2009\200A'
      '\2028\2029\202F\205F\3000\2800'
  ),
  nfc
);
