import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { documents } from '../testing/policy-documents.ts'
import { loosened, membersOf } from '../testing/policy-laws.ts'
import { isAllowed, matchesGlob } from '../words/globs.ts'
import { complete } from './defaults.ts'
import { mergeStrictest } from './merge.ts'

const some = fc.array(documents, { minLength: 1, maxLength: 5 })
describe('strictest merge', () => {
  test('does not depend on the order', () => {
    fc.assert(
      fc.property(
        some.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
        ([list, shuffled]) => {
          expect(mergeStrictest(shuffled)).toEqual(mergeStrictest(list))
        },
      ),
    )
  })

  test('counts a policy that applies twice once', () => {
    fc.assert(
      fc.property(some, (list) => {
        expect(mergeStrictest([...list, ...list])).toEqual(mergeStrictest(list))
      }),
    )
  })

  test('is never looser than any policy in it', () => {
    fc.assert(
      fc.property(some, documents, (list, more) => {
        const before = mergeStrictest(list)
        const after = mergeStrictest([...list, more])
        if (before.mode === 'off') return
        expect(loosened(before, after)).toEqual([])
        for (const model of ['gpt-mini', 'echo-1', 'claude', 'other']) {
          if (!isAllowed(before.models, model)) expect(isAllowed(after.models, model)).toBe(false)
        }
      }),
    )
  })

  test('is tried with more than one value of every member', () => {
    const seen = new Map<string, Set<string>>()
    for (const document of fc.sample(documents, { numRuns: 300, seed: 1 }))
      for (const [path, value] of membersOf(mergeStrictest([document])))
        seen.set(path, (seen.get(path) ?? new Set()).add(JSON.stringify(value)))
    expect(seen.size).toBeGreaterThan(80)
    expect([...seen].filter(([, values]) => values.size < 2).map(([path]) => path)).toEqual([])
  })

  test('allow-lists intersect even when their patterns differ', () => {
    const merged = mergeStrictest([
      complete({ models: { allow: ['gpt-*'] } }),
      complete({ models: { allow: ['*-mini'] } }),
    ])
    expect(isAllowed(merged.models, 'gpt-mini')).toBe(true)
    expect(isAllowed(merged.models, 'gpt-large')).toBe(false)
    expect(isAllowed(merged.models, 'claude-mini')).toBe(false)
  })

  test('a policy that is off says nothing beside one that is on', () => {
    const on = complete({ mode: 'monitor' })
    expect(mergeStrictest([on, complete({ mode: 'off', models: { deny: ['*'] } })])).toEqual(mergeStrictest([on]))
  })
})

test.each([
  ['*', 'anything', true],
  ['gpt-*', 'gpt-4', true],
  ['gpt-*', 'xgpt-4', false],
  ['*-mini', 'gpt-4-mini', true],
  ['a*b*c', 'axxbyyc', true],
  ['a*b*c', 'axxc', false],
  ['ab*ba', 'aba', false],
  ['exact', 'exact', true],
] as const)('the pattern %s fits %s: %s', (pattern, name, expected) => {
  expect(matchesGlob(pattern, name)).toBe(expected)
})
