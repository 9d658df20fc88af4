import { expect, test } from 'vitest'
import { isDeniedModel } from './model-names.ts'

test.each([
  ['gpt-4o', 'gpt-4o', true],
  ['gpt-4o', 'GPT-4o', true],
  ['GPT-4o', 'gpt-4o-2024-08-06', true],
  ['claude-3-5-sonnet', 'claude-3-5-sonnet-20241022', true],
  ['claude-3-5-sonnet', 'Claude-3-5-Sonnet@20241022', true],
  ['openai/gpt-4o', 'openai/gpt-4o-latest', true],
  ['gpt-4o', 'gpt-4o-mini', false],
  ['gpt-4o', 'gpt-4o-mini-2024-07-18', false],
  ['gpt-4o-2024-08-06', 'gpt-4o', false],
  ['gpt-4o', null, false],
  [null, 'gpt-4o', false],
])('denying %s denies %s: %s', (denied, model, expected) => {
  expect(isDeniedModel(denied, model)).toBe(expected)
})
