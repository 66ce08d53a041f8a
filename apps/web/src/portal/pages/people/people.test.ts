import { expect, test } from '@jest/globals';
import { personName, findPeople } from './people.ts';

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
  expect(findPeople(people, undefined).map(personName)).toEqual(['Anna Berg', 'kim', 'Zoë Berg']);
  expect(findPeople(people, 'BERG').map(({ userId }) => userId)).toEqual(['u2', 'u1']);
  expect(findPeople(people, 'zoe b').map(({ userId }) => userId)).toEqual(['u1']);
  expect(findPeople(people, '@example').map(({ userId }) => userId)).toEqual(['u1']);
  expect(findPeople(people, 'u3').map(({ userId }) => userId)).toEqual(['u3']);
  expect(findPeople(people, 'nobody')).toEqual([]);
});
