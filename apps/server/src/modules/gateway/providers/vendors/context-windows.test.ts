import { expect, test } from 'vitest'
import { contextWindow } from './context-windows.ts'

test.each([
  ['openai', 'gpt-4o-2024-08-06', 128_000],
  ['openai', 'gpt-4', 8192],
  ['openai', 'gpt-4-turbo', 128_000],
  ['openai', 'gpt-4-1106-preview', null],
  ['openai', 'o1-mini', 128_000],
  ['openai', 'o1', 200_000],
  ['openai_compatible', 'gpt-4', null],
  ['echo', 'echo-1', null],
] as const)('%s %s reads %s tokens', (kind, model, tokens) => {
  expect(contextWindow(kind, model)).toBe(tokens)
})
