import { expect, test } from 'vitest'
import { isContent, namesFor } from './conventions.ts'

test.each([
  ['https://opentelemetry.io/schemas/1.37.0', 'gen_ai.provider.name', 'gen_ai.usage.input_tokens'],
  ['https://opentelemetry.io/schemas/1.30.0', 'gen_ai.system', 'gen_ai.usage.input_tokens'],
  ['https://opentelemetry.io/schemas/1.26.0', 'gen_ai.system', 'gen_ai.usage.prompt_tokens'],
  ['', 'gen_ai.provider.name', 'gen_ai.usage.input_tokens'],
  ['https://opentelemetry.io/schemas/2.0.0', 'gen_ai.provider.name', 'gen_ai.usage.input_tokens'],
])('by the schema %j the provider is %s', (schema, provider, tokens) => {
  const names = namesFor(schema)
  expect([names.provider[0], names.tokensIn[0]]).toEqual([provider, tokens])
  // Libraries mix versions, so the other names count where the own one is missing.
  expect(new Set(names.provider)).toEqual(new Set(['gen_ai.provider.name', 'gen_ai.system']))
})

test('contents of calls are known by their names', () => {
  for (const name of ['gen_ai.input.messages', 'gen_ai.output.messages', 'gen_ai.prompt.0.content'])
    expect(isContent(name)).toBe(true)
  expect(isContent('gen_ai.tool.call.arguments')).toBe(true)
  for (const name of ['gen_ai.tool.call.id', 'gen_ai.request.model']) expect(isContent(name)).toBe(false)
})
