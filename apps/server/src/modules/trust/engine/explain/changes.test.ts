import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFAULT_DECAY_CONFIG } from '../config-defaults.ts'
import { configProblems } from '../config-rules.ts'
import { daysAgo, NOW, scoreInput, scoreInputs } from '../score.arbitraries.ts'
import { composeScore } from '../score.ts'
import { applyChanges, type Change, UnknownTarget } from './changes.ts'

const open = { id: 'alert-1', severity: 'critical', at: daysAgo(3) } as const
const nameless = { severity: 'high', at: daysAgo(1) } as const
const input = scoreInput({
  signals: [
    { id: 'enforced', good: 90, n: 100, observed_at: daysAgo(7) },
    { id: 'anomaly_pressure', observed_at: NOW, events: [open, nameless] },
  ],
})
const after = (...changes: Change[]) => composeScore(applyChanges(input, changes))
const signal = (score: ReturnType<typeof composeScore>, id: string) => score.signals.find((one) => one.id === id)

describe('a what-if', () => {
  test('without changes is the score itself', () => {
    fc.assert(
      fc.property(scoreInputs, (some) => {
        expect(composeScore(applyChanges(some, []))).toEqual(composeScore(some))
      }),
    )
  })

  test('leaves its input as it was', () => {
    const before = structuredClone(input)
    after(
      { signal: 'enforced', value: 10 },
      { close_event: 'alert-1' },
      { weights: { risk: 0.1, security: 0.35 } },
      { decay: { pillars: { risk: { half_life_days: 3 } } } },
      { cap: 'kill_switch_active', value: true },
    )
    expect(input).toEqual(before)
  })

  test('sets a signal to a value measured at its moment', () => {
    expect(signal(after({ signal: 'mcp_posture', value: 80 }), 'mcp_posture')).toMatchObject({
      value: 80,
      freshness: 1,
      observed_at: NOW,
    })
  })

  test('refreshes a signal with what it said, and one without evidence not', () => {
    expect(signal(after({ signal: 'enforced', refresh: true }), 'enforced')).toMatchObject({
      value: 86.36,
      freshness: 1,
    })
    expect(after({ signal: 'shadow_ai', refresh: true })).toEqual(composeScore(input))
  })

  test('closes an event by its id, or by time and severity where it has none', () => {
    const namelessKey = `${nameless.at} high`
    for (const key of ['alert-1', namelessKey]) {
      // Closed just now an event weighs all it did; it begins to age.
      expect(after({ close_event: key })).toEqual({ ...composeScore(input) })
    }
    const refresh = { signal: 'anomaly_pressure', refresh: true } as const
    const valueAfterAWeek = (...changes: Change[]) =>
      signal(composeScore(applyChanges(input, [...changes, refresh], daysAgo(-7))), 'anomaly_pressure')?.value
    // 100 × 2^(−P/20): P = 10 + 5 open; 10 × ½ + 5 with the first closed for one half-life; then both.
    expect(valueAfterAWeek()).toBe(59.46)
    expect(valueAfterAWeek({ close_event: 'alert-1' })).toBe(70.71)
    expect(valueAfterAWeek({ close_event: 'alert-1' }, { close_event: namelessKey })).toBe(77.11)
  })

  test('puts a cap in force and lifts it', () => {
    const capped = after({ cap: 'kill_switch_active', value: true })
    expect(capped.pillars[0]).toMatchObject({ score: 40, capped_by: 'kill_switch_active' })
    expect(after({ cap: 'kill_switch_active', value: true }, { cap: 'kill_switch_active', value: false })).toEqual(
      composeScore(input),
    )
  })

  test('changes weights of pillars and signals, all of which are checked when the last change is made', () => {
    const { config } = applyChanges(input, [{ weights: { security: 0.2 } }, { weights: { risk: 0.25 } }])
    expect(configProblems(config)).toEqual([])
    expect([config.pillars.security.weight, config.pillars.risk.weight]).toEqual([0.2, 0.25])
    const uneven = applyChanges(input, [{ weights: { enforced: 0.3 } }]).config
    expect(configProblems(uneven)).toMatchObject([{ kind: 'weights', path: 'signals of ai_governance' }])
  })

  test('patches the configuration, and null puts a default back', () => {
    const changed = applyChanges(input, [
      { decay: { decay_model: 'none', prior: 40, caps: { kill_switch_active: null } } },
    ])
    expect(changed.config).toMatchObject({ decay_model: 'none', prior: 40, caps: { kill_switch_active: null } })
    const back = applyChanges(changed, [
      { decay: { decay_model: null, prior: null, caps: { kill_switch_active: 40 } } },
    ])
    expect(back.config).toEqual(DEFAULT_DECAY_CONFIG)
  })

  test.each([
    { signal: 'luck', value: 1 },
    { signal: 'luck', refresh: true },
    { signal: 'anomaly_pressure', value: 1 },
    { close_event: 'alert-2' },
    { cap: 'luck', value: true },
    { weights: { luck: 0 } },
  ] as const)('refuses %j, which names nothing it could change', (change) => {
    expect(() => applyChanges(input, [change])).toThrow(UnknownTarget)
  })
})
