import { expect, test } from 'vitest'
import { isAtVendor } from './registry.ts'

test.each([
  ['openai', null, true],
  ['openai', 'https://api.openai.com/v1', true],
  ['openai', 'https://proxy.example.org/v1', false],
  ['openai', 'https://api.openai.com.example.org/v1', false],
  ['anthropic', null, true],
  ['aws_bedrock', null, true],
  ['google_vertex', null, true],
  ['openai_compatible', 'https://api.openai.com/v1', false],
  ['ollama', 'http://localhost:11434', false],
] as const)('%s at %s is the vendor itself: %s', (kind, baseUrl, expected) => {
  expect(isAtVendor({ kind, baseUrl, settings: {} })).toBe(expected)
})
