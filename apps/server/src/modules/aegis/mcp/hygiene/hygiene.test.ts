import { expect, test } from 'vitest'
import { hygieneOf } from './hygiene.ts'

test('hygiene is half approved pins and half tools without a grave finding', () => {
  expect(hygieneOf({ servers: 1, tools: 4, approved: 4, withFindings: 0 })).toBe(1)
  expect(hygieneOf({ servers: 1, tools: 4, approved: 3, withFindings: 1 })).toBe(0.75)
  expect(hygieneOf({ servers: 1, tools: 4, approved: 0, withFindings: 4 })).toBe(0)
})
