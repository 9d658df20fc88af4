import { expect, test } from 'vitest'
import type { Redaction, Verdict } from '../ports/call-guards.ts'
import { combine, withoutCuts } from './combine.ts'

const says = (guard: string, ...verdicts: readonly Verdict[]) => ({ guard, verdicts })
const flag = (rule: string, ...redactions: readonly Redaction[]): Verdict => ({
  ...{ decision: 'flag', rule, reason: 'A reason', redactions },
})
const blocks: Verdict = { decision: 'block', rule: 'no', reason: 'A reason' }
const span = (start: number, end: number): Redaction => ({ location: '/a', start, end })

test.each([
  ['nothing', [says('a')], 'allow'],
  ['a flag', [says('a'), says('b', flag('x'))], 'flag'],
  ['a redaction', [says('a', flag('x')), says('b', flag('y', span(0, 1)))], 'redact'],
  ['a block beside everything else', [says('a', flag('y', span(0, 1))), says('b', blocks)], 'block'],
  ['a guard that failed', [{ guard: 'a', failure: new Error('late') }, says('b')], 'block'],
])('the strictest of all counts: %s', (_name, judged, decision) => {
  expect(combine(judged).decision).toBe(decision)
})

test('what is said keeps the order of the guards, and each its own', () => {
  const { said } = combine([says('a', flag('2'), flag('1')), says('b', blocks)])
  expect(said.map(({ guard, rule }) => `${guard} ${rule}`)).toEqual(['a 2', 'a 1', 'b no'])
})

test('spans that overlap are one, by the rule of the one that begins first', () => {
  const { cuts } = combine([says('a', flag('late', span(4, 8))), says('b', flag('early', span(2, 5), span(9, 10)))])
  expect(cuts.get('/a')).toEqual([
    { start: 2, end: 8, rule: 'early' },
    { start: 9, end: 10, rule: 'early' },
  ])
  expect(withoutCuts('0123456789', cuts.get('/a') ?? [])).toBe('01[removed: early]8[removed: early]')
})

test('of equal spans the first guard names its rule', () => {
  const { cuts } = combine([says('a', flag('x', span(0, 2))), says('b', flag('y', span(0, 2)))])
  expect(cuts.get('/a')).toEqual([{ start: 0, end: 2, rule: 'x' }])
})
