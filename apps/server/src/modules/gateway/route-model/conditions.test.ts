import { describe, expect, test } from 'vitest'
import type { Conditions } from '../schemas/conditions.ts'
import { type ConditionFacts, conditionsHold } from './conditions.ts'

/** A Wednesday. */
const noon = Date.parse('2025-01-15T12:00:00Z')

const holds = (conditions: Conditions, over: Partial<ConditionFacts> = {}) =>
  conditionsHold(conditions, {
    operation: 'chat',
    keyId: 'k1',
    agentId: null,
    tags: ['blue'],
    metadata: { tier: 'gold' },
    inputTokens: () => 100,
    now: noon,
    ...over,
  })

describe('conditions', () => {
  test.each<[Conditions, boolean]>([
    [{}, true],
    [{ operations: ['chat'] }, true],
    [{ operations: ['embeddings'] }, false],
    [{ keys: ['k1', 'k2'] }, true],
    [{ keys: ['k2'] }, false],
    [{ agents: ['a'] }, false],
    [{ tags: ['red', 'blue'] }, true],
    [{ tags: ['red'] }, false],
    [{ metadata: { tier: ['silver', 'gold'] } }, true],
    [{ metadata: { tier: ['silver'] } }, false],
    [{ metadata: { tier: ['gold'], region: ['eu'] } }, false],
    [{ input_tokens: { at_least: 100, at_most: 100 } }, true],
    [{ input_tokens: { at_least: 101 } }, false],
    [{ input_tokens: { at_most: 99 } }, false],
    [{ tags: ['blue'], keys: ['k2'] }, false],
  ])('%j: %s', (conditions, expected) => {
    expect(holds(conditions)).toBe(expected)
  })

  test.each<[NonNullable<Conditions['time']>, string, boolean]>([
    [{ from: '09:00', to: '17:00' }, '2025-01-15T08:59:00Z', false],
    [{ from: '09:00', to: '17:00' }, '2025-01-15T09:00:00Z', true],
    [{ from: '09:00', to: '17:00' }, '2025-01-15T17:00:00Z', false],
    [{ from: '09:00', to: '17:00', time_zone: 'Asia/Tokyo' }, '2025-01-15T00:30:00Z', true],
    [{ from: '09:00', to: '17:00', time_zone: 'Europe/Berlin' }, '2025-07-15T15:30:00Z', false],
    [{ days: [3] }, '2025-01-15T12:00:00Z', true],
    [{ days: [1, 2, 4, 5, 6, 7] }, '2025-01-15T12:00:00Z', false],
    [{ days: [3], from: '22:00', to: '06:00' }, '2025-01-15T23:00:00Z', true],
    [{ days: [3], from: '22:00', to: '06:00' }, '2025-01-16T05:59:00Z', true],
    [{ days: [3], from: '22:00', to: '06:00' }, '2025-01-15T05:59:00Z', false],
    [{ days: [7], from: '22:00', to: '06:00' }, '2025-01-20T05:00:00Z', true],
    [{ from: '22:00', to: '06:00' }, '2025-01-15T12:00:00Z', false],
  ])('%j at %s: %s', (time, at, expected) => {
    expect(holds({ time }, { now: Date.parse(at) })).toBe(expected)
  })

  test('count the tokens only when they ask for them', () => {
    const inputTokens = () => {
      throw new Error('counted')
    }
    expect(holds({ tags: ['blue'] }, { inputTokens })).toBe(true)
  })
})
