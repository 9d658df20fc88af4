import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SignalInput } from './evidence.ts'
import { retainEvidence } from './retention.ts'
import { daysAgo, holdingInputs, scoreInput } from './score.arbitraries.ts'
import { composeScore } from './score.ts'

const only = (signal: SignalInput) => ({ signals: [signal], caps: [] })
const bad: SignalInput = { id: 'mcp_posture', observed_at: daysAgo(2), good: 1, n: 40 }

test.each<[string, SignalInput[]]>([
  ['silent', []],
  ['unable to measure', [{ id: 'mcp_posture', observed_at: daysAgo(0), value: null }]],
  ['empty', [{ id: 'mcp_posture', observed_at: daysAgo(0), good: 0, n: 0 }]],
  ['back with an older, better result', [{ id: 'mcp_posture', observed_at: daysAgo(3), good: 40, n: 40 }]],
])('a source that is %s keeps its last evidence', (_, signals) => {
  expect(retainEvidence(only(bad), { signals, caps: [] }).signals).toEqual([bad])
})

test('a newer observation replaces the old one', () => {
  const better = { id: 'mcp_posture', observed_at: daysAgo(1), good: 40, n: 40 }
  expect(retainEvidence(only(bad), only(better)).signals).toEqual([better])
})

test('events known before stay while nobody watches, and new ones still count', () => {
  const old = { id: 'e1', severity: 'critical', at: daysAgo(9) } as const
  const fresh = { id: 'e2', severity: 'high', at: daysAgo(1) } as const
  const before = { id: 'anomaly_pressure', observed_at: daysAgo(5), events: [old] }
  const now = { id: 'anomaly_pressure', observed_at: null, events: [fresh, { ...old, closed_at: daysAgo(1) }] }
  const [kept] = retainEvidence(only(before), only(now)).signals
  expect(kept).toEqual({ ...before, events: [fresh, { ...old, closed_at: daysAgo(1) }] })
  expect(retainEvidence(only(before), only({ ...now, events: [] })).signals).toEqual([before])
})

test('a cap nobody reports any more stays, and one reported as over is over', () => {
  const active = { signals: [], caps: [{ id: 'kill_switch_active', active: true }] }
  const over = { signals: [], caps: [{ id: 'kill_switch_active', active: false }] }
  expect(retainEvidence(active, { signals: [], caps: [] }).caps).toEqual(active.caps)
  expect(retainEvidence(active, over).caps).toEqual(over.caps)
})

test('withholding any evidence never raises the score', () => {
  const keep = fc.infiniteStream(fc.boolean())
  fc.assert(
    fc.property(holdingInputs, keep, (input, kept) => {
      const withheld = { signals: input.signals.filter(() => kept.next().value), caps: [] }
      const after = composeScore({ ...input, ...retainEvidence(input, withheld) })
      expect(after.composite_score).toBeLessThanOrEqual(composeScore(input).composite_score)
    }),
  )
})

test('nothing before is nothing to retain', () => {
  const { signals, caps } = scoreInput({ signals: [bad] })
  expect(retainEvidence({ signals: [], caps: [] }, { signals, caps })).toEqual({ signals, caps })
})
