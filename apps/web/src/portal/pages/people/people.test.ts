import { expect, test } from '@jest/globals';
import { calledAs, peopleLike } from './people.ts';

const person = (userId: string, subject: string, name: string | null, email: string | null) => ({
  userId,
  subject,
  name,
  email,
});

test('finds people by any of their names, sorted by name', () => {
  const people = [
    person('u1', 'zoe', 'Zoë Berg', 'zoe@example.org'),
    person('u2', 'anna', 'Anna Berg', null),
    person('u3', 'kim', null, null),
  ];
  expect(peopleLike(people, undefined).map(calledAs)).toEqual(['Anna Berg', 'kim', 'Zoë Berg']);
  expect(peopleLike(people, 'BERG').map(({ userId }) => userId)).toEqual(['u2', 'u1']);
  expect(peopleLike(people, 'zoe b').map(({ userId }) => userId)).toEqual(['u1']);
  expect(peopleLike(people, '@example').map(({ userId }) => userId)).toEqual(['u1']);
  expect(peopleLike(people, 'u3').map(({ userId }) => userId)).toEqual(['u3']);
  expect(peopleLike(people, 'nobody')).toEqual([]);
});
