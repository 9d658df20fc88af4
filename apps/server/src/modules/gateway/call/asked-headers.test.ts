import { expect, test } from 'vitest'
import { type Asked, plainAsked } from './asked.ts'
import { withHeaders } from './asked-headers.ts'
import { emptyCall } from './call.ts'

const asked: Asked = { ...plainAsked, operation: 'chat', dialect: 'openai', read: () => emptyCall }

const sent = (headers: Record<string, string>) => ({ header: (name: string) => headers[name] })

test('a call without such headers is the same call', () => {
  expect(withHeaders(asked, sent({}))).toBe(asked)
})

test('retention can be lowered and not raised', () => {
  const lowered = { ...asked, retention: 'metadata' } as const
  expect(withHeaders(asked, sent({ 'x-gateway-retention': 'metadata' })).retention).toBe('metadata')
  expect(withHeaders(lowered, sent({ 'x-gateway-retention': 'redacted' })).retention).toBe('metadata')
  const redacted = { ...asked, retention: 'redacted' } as const
  expect(withHeaders(redacted, sent({ 'x-gateway-retention': 'metadata' })).retention).toBe('metadata')
  expect(withHeaders(redacted, sent({})).retention).toBe('redacted')
  expect(() => withHeaders(asked, sent({ 'x-gateway-retention': 'full' }))).toThrow('cannot raise')
})

test('tags are names between commas, each once', () => {
  const tagged = { ...asked, tags: ['a'] }
  expect(withHeaders(tagged, sent({ 'x-gateway-tags': ' b, a ,,c' })).tags).toEqual(['a', 'b', 'c'])
  for (const wrong of ['a b', '-a', 'x'.repeat(65), Array.from({ length: 17 }, (_, n) => `t${n}`).join(',')])
    expect(() => withHeaders(asked, sent({ 'x-gateway-tags': wrong }))).toThrow('up to 16 names')
})
