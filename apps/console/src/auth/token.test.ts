import { expect, test } from 'vitest'
import { tokenIn } from './token.ts'

test.each([
  ['https://parapet.example/reset#abc-123', 'abc-123'],
  ['#abc-123', 'abc-123'],
  [' abc-123 ', 'abc-123'],
  ['', ''],
])('the secret of %s is %s', (text, token) => {
  expect(tokenIn(text)).toBe(token)
})
