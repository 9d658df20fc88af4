import { expect, test } from 'vitest'
import { holdsNeedle, needlesOf } from './needles.ts'

test('an identifier is found as it is written, escaped, and as bytes', () => {
  const needles = needlesOf(['Ann+x@People.example'])
  expect(holdsNeedle('Dear ANN+X@people.EXAMPLE', needles)).toBe(true)
  expect(holdsNeedle('/?email=ann%2Bx%40people.example', needles)).toBe(true)
  expect(holdsNeedle(`\\x${Buffer.from('ann+x@people.example').toString('hex')}`, needles)).toBe(true)
  expect(holdsNeedle(JSON.stringify({ said: 'ann "x" müller' }), needlesOf(['Ann "X" Müller']))).toBe(true)
  expect(holdsNeedle('ann@people.example', needles)).toBe(false)
})

test('words too short to say anything are not looked for', () => {
  expect(needlesOf(['ann', ' x '])).toEqual([])
})
