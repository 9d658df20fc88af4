import { expect, test } from 'vitest'
import { marked } from './marked.ts'

test('placeholders are parts of their own, and all parts make the text', () => {
  const parts = marked('To ⟦EMAIL_1⟧, about ⟦IBAN_2⟧')
  expect(parts.map(({ part, placeholder }) => [part, placeholder])).toEqual([
    ['To ', false],
    ['⟦EMAIL_1⟧', true],
    [', about ', false],
    ['⟦IBAN_2⟧', true],
  ])
  expect(marked('⟦not one⟧')).toHaveLength(1)
})
