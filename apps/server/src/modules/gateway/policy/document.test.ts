import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { checkDocument } from './check.ts'
import { complete, defaultDocument } from './defaults.ts'
import { PolicyDocumentInput } from './document.ts'
import { policyTemplates } from './templates.ts'

test('an empty document means the defaults', () => {
  expect(complete({})).toEqual(defaultDocument)
})

test('the complete default is itself an acceptable document', () => {
  expect([...Value.Errors(PolicyDocumentInput, defaultDocument)]).toEqual([])
})

test('a field no step enforces is refused', () => {
  expect(Value.Check(PolicyDocumentInput, { topics: [] })).toBe(false)
  expect(Value.Check(PolicyDocumentInput, { sensitive_data: { retain_for_ever: true } })).toBe(false)
})

test('every template is valid', () => {
  for (const template of Object.values(policyTemplates)) {
    expect(Value.Check(PolicyDocumentInput, template)).toBe(true)
    expect(() => checkDocument(complete(template))).not.toThrow()
  }
})

test.each([
  [
    { content: { denied_patterns: [{ id: 'p', pattern: '(', action: 'block' }] } },
    '/document/content/denied_patterns/0/pattern',
  ],
  [
    { content: { denied_patterns: [{ id: 'p', pattern: '(a)\\1', action: 'block' }] } },
    '/document/content/denied_patterns/0/pattern',
  ],
  [
    { content: { denied_patterns: [{ id: 'p', pattern: 'a*', action: 'block' }] } },
    '/document/content/denied_patterns/0/pattern',
  ],
  [{ injection: { flag_at: 0.95 } }, '/document/injection/flag_at'],
  [{ limits: [{ id: 'l', per: 'key', unit: 'requests', max: 1 }] }, '/document/limits/0/window_seconds'],
  [
    { limits: [{ id: 'l', per: 'key', unit: 'concurrent', max: 1, window_seconds: 5 }] },
    '/document/limits/0/window_seconds',
  ],
] as const)('%j is GW-026 at %s', (input, pointer) => {
  expect(() => checkDocument(complete(input as PolicyDocumentInput))).toThrow(
    expect.objectContaining({ code: 'GW-026', parts: [expect.objectContaining({ pointer })] }),
  )
})
