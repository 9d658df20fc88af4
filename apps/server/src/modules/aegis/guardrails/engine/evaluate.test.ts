import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Target } from '../declared/schema.ts'
import { errorRules, guardrailActions } from '../declared/words.ts'
import { callOf, cel, live } from '../testing/contexts.ts'
import type { EvaluationContext } from './context.ts'
import { type Asked, type Evaluation, evaluateGuardrails, type RateCounter } from './evaluate.ts'
import { type LiveGuardrail, liveSet } from './live-set.ts'
import { placeOf } from './rollout.ts'

const never: RateCounter = () => false

function judge(rails: readonly LiveGuardrail[], context: EvaluationContext = callOf(), rates: RateCounter = never) {
  return evaluateGuardrails(liveSet(rails), context, { rates, monotonic: () => 0 }) as Evaluation
}

/** A field that is not there. */
const broken = cel('args.absent.deeper == 1')

test.each([
  ['deny', 'deny', true],
  ['allow', 'none', false],
  ['monitor', 'none', true],
] as const)('a check that fails counts by on_error: %s', (on_error, decision, isHit) => {
  const { decision: made, hits } = judge(
    [live({ checks: [broken], action: 'redact', on_error } as never)].map((rail) => ({
      ...rail,
      definition: { ...rail.definition, action: 'hold' as const },
    })),
  )
  expect(made).toBe(decision)
  expect(hits.length > 0).toBe(isHit)
  if (isHit) expect(hits[0]).toMatchObject({ failed: true, enforced: on_error === 'deny' })
})

test('whatever fails, nothing throws and on_error decides', () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.constantFrom(...errorRules),
      fc.constantFrom(...guardrailActions),
      (args, on_error, action) => {
        if (action === 'transform' || action === 'redact') return
        const { decision } = judge([live({ checks: [broken], on_error, action })], callOf({ args }))
        expect(decision).toBe(on_error === 'deny' ? 'deny' : 'none')
      },
    ),
  )
})

test('more text than detectors look at is a failed check', () => {
  const rail = live({ checks: [{ type: 'detector', detector: 'secret' }], action: 'deny' })
  expect(judge([rail], callOf({ args: { text: 'a'.repeat(300_000) } })).hits[0]).toMatchObject({ failed: true })
})

test.each<[string, Target, boolean]>([
  ['all', {}, true],
  ['its agent', { agent_ids: ['a1'] }, true],
  ['another agent', { agent_ids: ['a2'] }, false],
  ['a tag', { tags: ['finance', 'x'] }, true],
  ['a tier', { tiers: [3, 4] }, false],
  ['an environment', { environments: ['prod'] }, true],
  ['a server', { server_slugs: ['mail'] }, false],
  ['a tool by its name', { tools: ['w*'] }, true],
  ['a tool of a server', { tools: ['bank/wire'] }, true],
  ['a tool of another server', { tools: ['mail/*'] }, false],
  ['a data class', { data_classes: ['internal'] }, true],
  ['two at once', { tools: ['wire'], tiers: [1] }, false],
])('the target %s', (_name, target, expected) => {
  expect(judge([live({ target })]).decision).toBe(expected ? 'deny' : 'none')
})

test('a target without an agent is not that of a call without one', () => {
  expect(judge([live({ target: { tiers: [1, 2, 3, 4] } })], callOf({ agent: null })).decision).toBe('none')
})

test('a share of sessions is enforced whole, and the share grows without letting a session out', () => {
  const rail = live({}, { percent: 30 })
  const isIn = (percent: number, id: string) =>
    judge([{ ...rail, percent }], callOf({ session: { id, labels: [], calls: 0, denied: 0, startedMs: 0 } }))
      .decision === 'deny'
  const ids = Array.from({ length: 400 }, (_, n) => `session-${n}`)
  const third = ids.filter((id) => isIn(30, id))
  expect(third.length).toBeGreaterThan(80)
  expect(third.length).toBeLessThan(160)
  for (const id of third) expect([isIn(30, id), isIn(60, id), isIn(100, id)]).toEqual([true, true, true])
  expect(ids.some((id) => isIn(0, id))).toBe(false)
})

test('outside of the share the version before is enforced and the next one is watched', () => {
  const rail = live({ message: 'next' }, { percent: 50, version: 2 })
  const base = { ...rail, version: 1, isBase: true, definition: { ...rail.definition, message: 'before' } }
  const reasonIn = (id: string) =>
    judge([rail, base], callOf({ session: { id, labels: [], calls: 0, denied: 0, startedMs: 0 } }))
  const [inside, outside] = [true, false].map((isIn) =>
    Array.from({ length: 50 }, (_, n) => `s${n}`).find((id) => placeOf(rail.id, id) < 50 === isIn),
  )
  expect(reasonIn(inside ?? '')).toMatchObject({ reason: 'next', hits: [{ version: 2, enforced: true }] })
  expect(reasonIn(outside ?? '')).toMatchObject({
    reason: 'before',
    hits: [
      { version: 1, enforced: true },
      { version: 2, enforced: false },
    ],
  })
})

test('a rate is counted only where all other checks hold, and may be counted elsewhere', async () => {
  const keys: string[] = []
  const rates: RateCounter = ({ key }) => {
    keys.push(key)
    return Promise.resolve(true)
  }
  const rate = { type: 'rate_limit', per: 'agent', limit: 1, window_seconds: 60 } as const
  const waiting = evaluateGuardrails(
    liveSet([live({ checks: [cel('false'), rate] }), live({ checks: [rate] })]),
    callOf(),
    {
      rates,
      monotonic: () => 0,
    },
  )
  expect((await waiting).decision).toBe('deny')
  expect(keys).toEqual([expect.stringMatching(/^\{t\}:guardrail:g\d+:0:a1$/)])
  const failing: RateCounter = () => Promise.reject(new Error('away'))
  const failed = await evaluateGuardrails(liveSet([live({ checks: [rate] })]), callOf(), {
    rates: failing,
    monotonic: () => 0,
  })
  expect(failed.hits[0]).toMatchObject({ failed: true, action: 'deny' })
})

test('each guardrail that is asked is observed, and those of another target are not', async () => {
  const asked: Asked[] = []
  const rails = [live({ checks: [cel('false')] }), live({ target: { tiers: [1] } }), live({ action: 'monitor' })]
  await evaluateGuardrails(liveSet(rails), callOf(), {
    rates: never,
    monotonic: () => 0,
    observe: (one) => asked.push(one),
  })
  expect(asked.map(({ guardrailId, matched, enforced }) => [guardrailId, matched, enforced])).toEqual([
    [rails[0]?.id, false, false],
    [rails[2]?.id, true, false],
  ])
})

test('a redaction takes out what its detectors find in the arguments', () => {
  const rail = live(
    { checks: [{ type: 'detector', detector: 'pattern', pattern: 'Aurora' }], action: 'redact' },
    { name: 'project' },
  )
  const { decision, args } = judge([rail], callOf({ args: { note: 'about Aurora', list: ['Aurora'] } }))
  expect([decision, args]).toEqual(['modify', { note: 'about [removed: project]', list: ['[removed: project]'] }])
})
