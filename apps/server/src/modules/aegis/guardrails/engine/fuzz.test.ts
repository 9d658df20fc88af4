/** Any arguments, however strange, get one decision from guardrails of every kind. A long run: PARAPET_TEST_RUNS=100000. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Check } from '../declared/checks-schema.ts'
import { callOf, cel, live } from '../testing/contexts.ts'
import { type Evaluation, evaluateGuardrails } from './evaluate.ts'
import { liveSet } from './live-set.ts'

const numRuns = Number(process.env.PARAPET_TEST_RUNS ?? 1_000)

const checks: readonly Check[] = [
  cel('args.sum > 4 && size(args.to) > 0'),
  cel('args.exists(k, k == "to")'),
  cel('has(args.lines) && args.lines.exists(l, l == "x")'),
  cel('string(args.sum).matches("(1+)+$")'),
  { type: 'json_schema', schema: { type: 'object', properties: { to: { type: 'string', pattern: '(a+)+$' } } } },
  { type: 'detector', detector: 'secret' },
  { type: 'detector', detector: 'pii' },
  { type: 'detector', detector: 'pattern', pattern: '(a|aa)+$' },
  { type: 'flow', template: 'lethal_trifecta' },
  { type: 'sequence', first: '*', next: '*', within_steps: 3 },
]
const actions = ['deny', 'redact', 'hold', 'monitor'] as const
const rails = checks.flatMap((check, n) => {
  const action = actions[n % actions.length] ?? 'deny'
  const usable = action === 'redact' && check.type !== 'detector' ? 'monitor' : action
  return [live({ checks: [check], action: usable, on_error: n % 2 === 0 ? 'deny' : 'allow' })]
})
const [forward, backward] = [liveSet(rails), liveSet(rails.toReversed())]

const decide = (set: typeof forward, args: unknown) =>
  evaluateGuardrails(set, callOf({ args }), { rates: () => false, monotonic: () => 0 }) as Evaluation

/** Names that the checks read, with values of every kind, and any other JSON. */
const named = fc.record(
  {
    sum: fc.jsonValue(),
    to: fc.jsonValue(),
    lines: fc.jsonValue(),
    toString: fc.jsonValue(),
    constructor: fc.jsonValue(),
  },
  { requiredKeys: [] },
)

test('no arguments make a decision fail, differ the second time, or depend on the order of the guardrails', () => {
  fc.assert(
    fc.property(fc.oneof(named, fc.jsonValue({ maxDepth: 8 })), (args) => {
      const decided = decide(forward, args)
      expect(decide(forward, args)).toEqual(decided)
      expect(decide(backward, args)).toEqual(decided)
    }),
    { numRuns },
  )
})

test.each([
  ['a hundred objects in each other', nested(100)],
  ['ten thousand entries', Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, 'a']))],
  ['100 KiB that backtracking would never end', { to: `${'a'.repeat(102_400)}!`, sum: 5 }],
  ['no arguments', undefined],
])('one decision about %s', (_name, args) => {
  const decided = decide(forward, args)
  expect(decide(backward, args)).toEqual(decided)
})

function nested(depth: number): unknown {
  let value: unknown = 'a'
  for (let n = 0; n < depth; n += 1) value = { to: value }
  return value
}
