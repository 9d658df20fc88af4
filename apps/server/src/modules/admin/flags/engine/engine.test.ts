import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FlagDefinition, TraceStep } from '../schemas/flags.ts'
import type { Rule } from '../schemas/rules.ts'
import { fineBuckets, inRollout, pick } from './buckets.ts'
import { constraintProblem } from './constraints.ts'
import { compileFlags, type Segments } from './evaluate.ts'

function flag(over: Partial<FlagDefinition> = {}): FlagDefinition {
  return {
    key: 'f',
    value_type: 'boolean',
    variants: [
      { key: 'on', value: true },
      { key: 'off', value: false },
    ],
    default_variant: 'off',
    off_variant: 'off',
    status: 'enabled',
    rules: [],
    prerequisites: [],
    overrides: [],
    hash_mode: 'fine',
    ...over,
  }
}
const rule = (over: Partial<Rule> = {}): Rule => ({ id: 'r', serve: { variant: 'on' }, ...over })
const ask = (flags: readonly FlagDefinition[], context: object = {}, segments: Segments = {}) => {
  const { variant, reason, errorCode } = compileFlags(flags, segments).evaluate('f', { ...context }, 0)
  return [variant, reason, errorCode]
}

describe('a flag', () => {
  test.each([
    ['without rules serves its default', {}, ['off', 'STATIC', null]],
    [
      'that is off serves its off variant whatever its rules say',
      { status: 'disabled', rules: [rule()] },
      ['off', 'DISABLED', null],
    ],
    ['that is a draft is not there', { status: 'draft' }, [null, 'ERROR', 'FLAG_NOT_FOUND']],
    ['that is archived is not there', { status: 'archived' }, [null, 'ERROR', 'FLAG_NOT_FOUND']],
    ['serves the first rule that holds', { rules: [rule()] }, ['on', 'TARGETING_MATCH', null]],
    [
      'whose rules do not hold serves its default',
      { rules: [rule({ rollout_percentage: 0 })] },
      ['off', 'DEFAULT', null],
    ],
    [
      'with a split and nothing to tell callers apart says so',
      {
        rules: [
          rule({
            serve: {
              split: [
                { variant: 'on', weight: 1 },
                { variant: 'off', weight: 1 },
              ],
            },
          }),
        ],
      },
      ['off', 'ERROR', 'TARGETING_KEY_MISSING'],
    ],
    [
      'lets an override go before its rules',
      { overrides: [{ targeting_key: 'u', variant: 'on' }] },
      ['on', 'TARGETING_MATCH', null],
    ],
    [
      'lets an override of an environment go before its rules',
      { overrides: [{ environment: 'e', variant: 'on' }] },
      ['on', 'TARGETING_MATCH', null],
    ],
  ] as const)('%s', (name, over, expected) => {
    const context = name.includes('override') ? { targetingKey: 'u', environment: 'e' } : {}
    expect(ask([flag(over as Partial<FlagDefinition>)], context)).toEqual(expected)
  })

  test('with a segment serves those of the segment, and nobody when the segment is gone', () => {
    const segments = { staff: [{ attribute: 'team', operator: 'IN' as const, values: ['us'] }] }
    const flags = [flag({ rules: [rule({ segment_ids: ['staff'] })] })]
    expect(ask(flags, { team: 'us' }, segments)[0]).toBe('on')
    expect(ask(flags, { team: 'them' }, segments)[0]).toBe('off')
    expect(ask(flags, { team: 'us' })[0]).toBe('off')
  })

  test('is off while a prerequisite is not met, also in a circle', () => {
    const parent = (over: Partial<FlagDefinition>) => flag({ key: 'p', ...over })
    const child = flag({ prerequisites: [{ flag: 'p' }], rules: [rule()] })
    expect(ask([child, parent({ rules: [rule()] })])[0]).toBe('on')
    expect(ask([child, parent({})])[0]).toBe('off')
    expect(ask([child])[0]).toBe('off')
    expect(ask([child, parent({ rules: [rule()], prerequisites: [{ flag: 'f' }] })])[0]).toBe('off')
    const wants = flag({ prerequisites: [{ flag: 'p', variants: ['off'] }], rules: [rule()] })
    expect(ask([wants, parent({})])[0]).toBe('on')
  })

  test('shows each step when asked to', () => {
    const steps: TraceStep[] = []
    const narrow = rule({ id: 'narrow', constraints: [{ attribute: 'plan', operator: 'IN', values: ['pro'] }] })
    compileFlags([flag({ rules: [narrow, rule({ id: 'wide' })] })], {}).evaluate('f', {}, 0, (step) => steps.push(step))
    expect(steps.map(({ step, name, matched }) => [step, name, matched])).toEqual([
      ['status', 'f', true],
      ['rule', 'narrow', false],
      ['rule', 'wide', true],
    ])
  })

  test('looks at the context’s own members only', () => {
    const inherited = rule({ constraints: [{ attribute: 'constructor', operator: 'NOT_IN', values: ['x'] }] })
    expect(ask([flag({ rules: [inherited] })])[0]).toBe('on')
  })
})

describe('a rollout', () => {
  const modes = fc.constantFrom('fine' as const, 'unleash' as const, 'flagd' as const)

  test('never takes anyone out when its percentage is raised', () => {
    fc.assert(
      fc.property(
        modes,
        fc.string(),
        fc.float({ min: 0, max: 100, noNaN: true }),
        fc.float({ min: 0, max: 100, noNaN: true }),
        (mode, id, a, b) => {
          const [low, high] = a < b ? [a, b] : [b, a]
          if (inRollout(mode, 'seed', id, low)) expect(inRollout(mode, 'seed', id, high)).toBe(true)
        },
      ),
    )
  })

  test('has steps of a thousandth of a percent, evenly filled (chi-squared, 99 degrees, alpha 0.001: 148.2)', () => {
    const counts = new Array<number>(100).fill(0)
    const keys = 200_000
    for (let n = 0; n < keys; n += 1) {
      const cell = Number(pick('fine', 'seed', `user-${n}`, cells))
      counts[cell] = (counts[cell] ?? 0) + 1
    }
    const expected = keys / counts.length
    const chiSquared = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
    expect(chiSquared).toBeLessThan(148.2)
    const thousandth = Array.from({ length: keys }, (_, n) => inRollout('fine', 'seed', `user-${n}`, 0.001))
    expect(thousandth.filter(Boolean).length).toBeLessThan((10 * keys) / fineBuckets)
  })

  test('moves nobody between variants whose shares stay in front', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 99 }), (id, first) => {
        const before = pick('fine', 's', id, [
          { variant: 'a', weight: first },
          { variant: 'b', weight: 100 - first },
        ])
        const after = pick('fine', 's', id, [
          { variant: 'a', weight: first + 1 },
          { variant: 'b', weight: 99 - first },
        ])
        if (before === 'a') expect(after).toBe('a')
      }),
    )
  })
})

const cells = Array.from({ length: 100 }, (_, n) => ({ variant: String(n), weight: 1 }))

describe('a constraint', () => {
  test.each([
    ['REGEX', ['(?=a)b']],
    ['REGEX', ['x'.repeat(600)]],
    ['NUM_GT', ['many']],
    ['NUM_GT', []],
    ['DATE_AFTER', ['soon']],
    ['SEMVER_EQ', ['v1.0.0']],
    ['CIDR', ['10.0.0.0/33']],
  ] as const)('%s of %j is refused', (operator, values) => {
    expect(constraintProblem({ attribute: 'a', operator, values: [...values] })).not.toBeNull()
  })

  test('C24 with a pattern that stops other engines ends in linear time', () => {
    const slow = rule({ constraints: [{ attribute: 'text', operator: 'REGEX', values: ['(a+)+$'] }] })
    expect(ask([flag({ rules: [slow] })], { text: `${'a'.repeat(5000)}!` })[0]).toBe('off')
  })
})
