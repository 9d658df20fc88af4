import { expect, test } from 'vitest'
import { CAP_IDS, CAPS } from './caps.ts'
import { PILLAR_NAMES, PILLARS, SIGNAL_IDS, SIGNALS, signalsOf } from './signals.ts'

test('the five pillars weigh one together', () => {
  expect(PILLAR_NAMES.reduce((sum, name) => sum + PILLARS[name].weight, 0)).toBe(10_000)
})

test.each(PILLAR_NAMES)('the signals of %s weigh one together', (pillar) => {
  expect(signalsOf(pillar).reduce((sum, id) => sum + SIGNALS[id].weight, 0)).toBe(10_000)
})

test('every signal belongs to exactly one pillar', () => {
  expect(PILLAR_NAMES.flatMap((pillar) => signalsOf(pillar)).toSorted()).toEqual(SIGNAL_IDS.toSorted())
})

test('signals and caps share no name', () => {
  expect(CAP_IDS.filter((id) => Object.hasOwn(SIGNALS, id))).toEqual([])
})

test('a pillar has at most ten signals and caps, so that every subset of them can be tried', () => {
  for (const pillar of PILLAR_NAMES) {
    const ownCaps = CAP_IDS.filter((id) => CAPS[id].pillar === pillar)
    expect(signalsOf(pillar).length + ownCaps.length).toBeLessThanOrEqual(10)
  }
})
