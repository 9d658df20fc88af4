import { expect, test } from 'vitest'
import { assertScorable, type SignalInput } from './evidence.ts'
import { NOW } from './score.arbitraries.ts'

const refused: readonly (readonly [string, Partial<SignalInput>, RegExp])[] = [
  ['an unknown signal', { id: 'luck' }, /known signal/],
  ['a value above 100', { value: 100.1 }, /0 to 100/],
  ['a value that is no number', { value: Number.NaN }, /0 to 100/],
  ['more good cases than cases', { good: 4, n: 3 }, /0 to n/],
  ['good cases without a count', { good: 4 }, /0 to n/],
  ['a negative count', { value: 50, n: -1 }, /0 or more/],
  ['a proportion and a value at once', { good: 1, n: 3, value: 50 }, /not both/],
  ['events of a state signal', { events: [] }, /no events/],
  ['a time without a zone', { value: 50, observed_at: '2026-01-01T00:00:00' }, /zone/],
  ['a value of an event signal', { id: 'anomaly_pressure', value: 90 }, /as events/],
  ['a watched event signal that forgot its events', { id: 'anomaly_pressure' }, /lists its events/],
]

test.each(refused)('%s is refused by name', (_, parts, words) => {
  const signal = { id: 'mcp_posture', observed_at: NOW, ...parts }
  expect(() => assertScorable({ signals: [signal], caps: [] })).toThrow(words)
})

test('an event whose severity nobody knows is refused', () => {
  const events = JSON.parse(`[{ "severity": "apocalyptic", "at": "${NOW}" }]`)
  const signal = { id: 'anomaly_pressure', observed_at: NOW, events }
  expect(() => assertScorable({ signals: [signal], caps: [] })).toThrow(/apocalyptic/)
})

test('a pause that ends before it begins is refused', () => {
  const pauses = [{ from: NOW, to: '2026-01-01T00:00:00Z' }]
  const signal = { id: 'anomaly_pressure', observed_at: NOW, events: [], pauses }
  expect(() => assertScorable({ signals: [signal], caps: [] })).toThrow(/pause/)
})

test('the same signal or cap twice is refused, because the order would decide', () => {
  const signal = { id: 'mcp_posture', observed_at: NOW, value: 50 }
  const cap = { id: 'kill_switch_active', active: true }
  expect(() => assertScorable({ signals: [signal, signal], caps: [] })).toThrow(/twice/)
  expect(() => assertScorable({ signals: [], caps: [cap, { ...cap, active: false }] })).toThrow(/twice/)
})

test('an unknown cap is refused', () => {
  expect(() => assertScorable({ signals: [], caps: [{ id: 'moon_full', active: true }] })).toThrow(/moon_full/)
})

test('fields that are null count as absent', () => {
  const state = { id: 'mcp_posture', observed_at: NOW, good: 1, value: null, n: 1, source_ref: null }
  const events = { id: 'anomaly_pressure', observed_at: NOW, good: null, value: null, n: null, events: [] }
  expect(() => assertScorable({ signals: [state, events], caps: [] })).not.toThrow()
})
