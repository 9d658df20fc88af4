import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { complete } from './defaults.ts'
import { entityTypes, type PolicyDocument } from './document.ts'
import { isAllowed, matchesGlob } from './globs.ts'
import { mergeStrictest } from './merge.ts'

const action = fc.constantFrom('allow', 'flag', 'redact', 'block')
const globs = fc.subarray(['*', 'gpt-*', 'echo-*', '*-mini', 'claude'])
const level = fc.constantFrom(0, 0.25, 0.5, 0.75, 1)
const closed = fc.constantFrom('closed', 'open')

const documents: fc.Arbitrary<PolicyDocument> = fc
  .record({
    mode: fc.constantFrom('enforce', 'monitor', 'off'),
    models: fc.record({
      allow: globs,
      deny: globs,
      default: fc.constantFrom(null, 'a', 'b'),
      max_output_tokens: fc.constantFrom(null, 10, 20),
      allow_streaming: fc.boolean(),
    }),
    injection: fc.record({ enabled: fc.boolean(), flag_at: level, block_at: level, action_tool_result: action }),
    sensitive_data: fc.record({
      enabled: fc.boolean(),
      default_action: action,
      restore: fc.boolean(),
      entities: fc.record(
        { EMAIL: fc.record({ action, min_confidence: level, restore: fc.boolean() }) },
        { requiredKeys: [] },
      ),
    }),
    content: fc.record({
      denied_terms: fc.subarray([
        { id: 'a', terms: ['x'], match: 'word' as const, action: 'block' as const },
        { id: 'a', terms: ['y'], match: 'word' as const, action: 'flag' as const },
      ]),
      tools: fc.record({ allow: globs, deny: globs, max_tools: fc.constantFrom(1, 5) }),
      required_metadata: fc.subarray(['team', 'purpose']),
    }),
    cache: fc.record({
      mode: fc.constantFrom('exact', 'off'),
      scope: fc.constantFrom('tenant', 'role', 'user', 'key'),
    }),
    failure: fc.record({ injection_detection: closed, output_inspection: closed }),
    reporting: fc.record({ server_timing: fc.boolean(), block_message: fc.constantFrom(null, 'no', 'stop') }),
  })
  .map((input) => complete(input as Parameters<typeof complete>[0]))

const some = fc.array(documents, { minLength: 1, maxLength: 5 })
const strictness = ['allow', 'flag', 'redact', 'block']

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
        for (const type of entityTypes) {
          const [was, is] = [before.sensitive_data.entities[type].action, after.sensitive_data.entities[type].action]
          expect(strictness.indexOf(is)).toBeGreaterThanOrEqual(strictness.indexOf(was))
        }
        expect(after.injection.block_at).toBeLessThanOrEqual(before.injection.block_at)
        for (const model of ['gpt-mini', 'echo-1', 'claude', 'other']) {
          if (!isAllowed(before.models, model)) expect(isAllowed(after.models, model)).toBe(false)
        }
      }),
    )
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
