import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SignalInput } from './evidence.ts'
import { daysAgo, holdingInputs, scoreInputs } from './score.arbitraries.ts'
import { composeScore } from './score.ts'

const pick = fc.nat(1000)

/** The input with one of its signals changed; unchanged when it has none. */
function changing(signals: readonly SignalInput[], at: number, change: (signal: SignalInput) => SignalInput) {
  return signals.map((signal, i) => (i === at % signals.length ? change(signal) : signal))
}

test('the composite lies in 0..100 and inside its interval', () => {
  fc.assert(
    fc.property(scoreInputs, (input) => {
      const { composite_score, interval, confidence, coverage } = composeScore(input)
      expect(interval.low).toBeGreaterThanOrEqual(0)
      expect(composite_score).toBeGreaterThanOrEqual(interval.low)
      expect(composite_score).toBeLessThanOrEqual(interval.high)
      expect(interval.high).toBeLessThanOrEqual(100)
      expect(confidence).toBeLessThanOrEqual(coverage)
    }),
  )
})

test('the composite is what anyone gets from the displayed pillars and weights', () => {
  fc.assert(
    fc.property(scoreInputs, (input) => {
      const { composite_score, pillars } = composeScore(input)
      const whole = (x: number, scale: number) => BigInt((x * scale).toFixed(0))
      const sum = pillars.reduce((total, p) => total + whole(p.score, 100) * whole(p.weight, 10_000), 0n)
      expect(whole(composite_score, 100)).toBe((sum + 5_000n) / 10_000n)
    }),
  )
})

test('a better value of one signal never lowers the composite', () => {
  fc.assert(
    fc.property(scoreInputs, pick, fc.double({ min: 0, max: 1, noNaN: true }), (input, at, share) => {
      const better = changing(input.signals, at, (signal) => improved(signal, share))
      const before = composeScore(input).composite_score
      expect(composeScore({ ...input, signals: better }).composite_score).toBeGreaterThanOrEqual(before)
    }),
  )
})

function improved(signal: SignalInput, share: number): SignalInput {
  if (signal.events !== undefined) return { ...signal, events: signal.events.slice(1) }
  if (typeof signal.value === 'number') return { ...signal, value: signal.value + (100 - signal.value) * share }
  const { good, n } = signal
  return typeof good === 'number' && typeof n === 'number' ? { ...signal, good: Math.min(n, good + 1) } : signal
}

test('where bad evidence is held, time alone never raises the score of states', () => {
  const later = fc.double({ min: 0, max: 400, noNaN: true }).map((days) => daysAgo(-days))
  fc.assert(
    fc.property(holdingInputs, later, (input, at) => {
      const states = { ...input, signals: input.signals.filter((signal) => signal.events === undefined) }
      const now = composeScore(states).composite_score
      expect(composeScore({ ...states, at }).composite_score).toBeLessThanOrEqual(now)
    }),
  )
})

test('where bad evidence is held, an older or withdrawn observation of the same state never scores more', () => {
  const extraDays = fc.option(fc.double({ min: 0, max: 400, noNaN: true }))
  fc.assert(
    fc.property(holdingInputs, pick, extraDays, (input, at, days) => {
      const observed_at = days === null ? null : daysAgo(400 + days)
      const aged = changing(input.signals, at, (signal) =>
        signal.events !== undefined || signal.observed_at === null ? signal : { ...signal, observed_at },
      )
      const before = composeScore(input).composite_score
      expect(composeScore({ ...input, signals: aged }).composite_score).toBeLessThanOrEqual(before)
    }),
  )
})

test('where bad evidence is held, a source of events that stopped watching never scores more', () => {
  const closedDays = fc.array(fc.double({ min: 0, max: 60, noNaN: true }), { maxLength: 12 })
  fc.assert(
    fc.property(holdingInputs, closedDays, fc.double({ min: 0, max: 60, noNaN: true }), (input, days, stopped) => {
      const events = days.map((day) => ({ severity: 'high' as const, at: daysAgo(90), closed_at: daysAgo(day) }))
      const others = input.signals.filter(({ id }) => id !== 'anomaly_pressure')
      const watchedUntil = (day: number) =>
        composeScore({
          ...input,
          signals: [...others, { id: 'anomaly_pressure', observed_at: daysAgo(day), events }],
        }).composite_score
      expect(watchedUntil(stopped)).toBeLessThanOrEqual(watchedUntil(0))
    }),
  )
})

test('an active cap never raises the score', () => {
  fc.assert(
    fc.property(scoreInputs, (input) => {
      const uncapped = composeScore({ ...input, caps: [] }).composite_score
      expect(composeScore(input).composite_score).toBeLessThanOrEqual(uncapped)
    }),
  )
})

test('the order of signals, events and caps changes nothing', () => {
  fc.assert(
    fc.property(scoreInputs, (input) => {
      const signals = input.signals.toReversed().map((signal) => {
        return signal.events === undefined ? signal : { ...signal, events: signal.events.toReversed() }
      })
      expect(composeScore({ ...input, signals, caps: input.caps.toReversed() })).toEqual(composeScore(input))
    }),
  )
})
