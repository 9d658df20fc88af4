import { expect, test } from 'vitest'
import { csvOf } from './csv.ts'

test('fields are quoted where they have to be, and no field is a formula', () => {
  expect(
    csvOf(
      ['at', 'note'],
      [
        ['12:00', 'a "b", c'],
        [3, null],
        [-1, '=1+1'],
      ],
    ),
  ).toBe('at,note\r\n12:00,"a ""b"", c"\r\n3,\r\n-1,\'=1+1')
})
