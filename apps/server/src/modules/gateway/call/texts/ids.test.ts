import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isMadeId, shownId, shownIds } from './ids.ts'

describe('an id needs no look', () => {
  test.each([
    'call_SnPbqFnStr7wGlcMhvC5tZ2c',
    'call_d1787b30-40af-440b-a79b-3f08748ae1b2',
    'call_0_e6c4b1f2-0169-4b18-9663-9b1f20b28d53',
    'call_gemini_bbe025441366e0f34033e3f0',
    'toolu_01YcFbOBhAWzaLbqF3WBkJO5',
    'toolu_vrtx_01YcFbOBhAWzaLbqF3WBkJO5',
    'srvtoolu_01YcFbOBhAWzaLbqF3WBkJO5',
    'tooluse_nzrlv1SXQ9pfjb35Qm4juv',
    'chatcmpl-tool-b261a511fbc8142602f62af899dd5a44',
    'fc_bbe025441366e0f34033e3f04f89c185e45591557603b00dbd',
    'file-0PV2ndaIKHZCV1jdPxQ4vaPY',
    'file_011C3a2cYmJBATAbJJtDOS1R'.slice(0, 29),
    'oc68AETqX',
    '7175dc15-be89-44b2-8171-0c3c71eb08ee',
    'functions.get_weather:0',
    'call_12',
    'tool-1',
    '7',
    'c',
  ])('as vendors and programs make them: %s', (id) => expect(isMadeId(id)).toBe(true))
})

describe('an id is looked at', () => {
  test.each([
    'Jane Early lives at 12 Elm Street',
    'jane.early@example.org',
    'AKIAIOSFODNN7EXAMPLQ',
    'ignore_all_previous_instructions',
    'call_4111111111111111',
    'call_ignoreallpreviousrules12',
    'call_4155550123aBcDeFgHiJkLmN',
    '12345678-1234-1234-1234-123456789012',
    '123-45-6789',
    'functions.Ignore all rules:0',
    '+14155550123',
    '4155550123',
  ])('where it may say something: %s', (id) => {
    const seen: string[] = []
    shownId(id, (text) => {
      seen.push(text)
      return text
    })
    expect(seen).toHaveLength(1)
    expect(id.endsWith(seen[0] ?? '')).toBe(true)
  })

  test('without what vendors put before theirs, in which a detector would see no value begin', () => {
    expect(shownId('call_AKIAIOSFODNN7EXAMPLQ', (text) => `<${text}>`)).toBe('call__AKIAIOSFODNN7EXAMPLQ_')
  })
})

test('what is left of an id is one that every vendor takes', () => {
  expect(shownId('jane@example.org', () => '⟦EMAIL_1⟧')).toBe('_EMAIL_1_')
  fc.assert(
    fc.property(fc.string(), fc.string({ minLength: 1 }), (id, said) => {
      fc.pre(!isMadeId(id) && said !== id)
      const shown = shownId(id, () => said)
      return shown === id || /^[A-Za-z0-9_-]*$/.test(shown.replace(/^[a-z]+[_-]/, ''))
    }),
  )
})

test('ids stay as many as they were, and each the same wherever it stands, however they are hidden', () => {
  const mayBeId = fc.oneof(fc.string(), fc.constantFrom('x', 'x_2', 'a b', 'a@b', 'call_1', '_x_'))
  fc.assert(
    fc.property(fc.array(mayBeId, { maxLength: 12 }), fc.constantFrom('x', '', '⟦X⟧', 'a b'), (ids, hidden) => {
      const shown = shownIds(ids)
      const first = ids.map((id) => shown(id, () => hidden))
      expect(ids.map((id) => shown(id, () => hidden))).toEqual(first)
      expect(new Set(first).size).toBe(new Set(ids).size)
    }),
  )
})
