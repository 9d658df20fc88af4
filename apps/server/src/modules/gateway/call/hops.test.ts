import { expect, test } from 'vitest'
import { hopsIn, mostHops } from './hops.ts'

test.each([
  [undefined, 0],
  ['0', 0],
  ['1', 1],
  ['3', 3],
  ['999', 999],
  ['', mostHops + 1],
  ['-1', mostHops + 1],
  ['1, 1', mostHops + 1],
  ['one', mostHops + 1],
  ['9999999', mostHops + 1],
])('C55 the header %s is %i hops', (value, hops) => {
  expect(hopsIn({ header: (name) => (name === 'parapet-hops' ? value : undefined) })).toBe(hops)
})
