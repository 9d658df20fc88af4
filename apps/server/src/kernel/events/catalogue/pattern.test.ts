import { describe, expect, test } from 'vitest'
import { isPattern, matches } from './pattern.ts'

describe('patterns', () => {
  test.each([
    ['*', 'risk.score.changed', true],
    ['risk.*', 'risk.score.changed', true],
    ['risk.score.*', 'risk.score.changed', true],
    ['risk.score.changed', 'risk.score.changed', true],
    ['risk.*', 'risky.score.changed', false],
    ['risk.sc*', 'risk.score.changed', false],
    ['*.score.changed', 'risk.score.changed', false],
    ['risk.*.changed', 'risk.score.changed', false],
    ['risk.score', 'risk.score.changed', false],
    ['', 'risk.score.changed', false],
  ])('%s against %s: %s', (name, channel, expected) => {
    expect(matches(name, channel)).toBe(expected)
  })

  test('a star stands at the end only', () => {
    expect(['*', 'a.*', 'svc_ai.thing.*'].every(isPattern)).toBe(true)
    expect(['**', 'a*', '*.a', 'A.*', 'a.b.c.*', 'a.b'].some(isPattern)).toBe(false)
  })
})
