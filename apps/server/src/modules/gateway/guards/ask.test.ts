import { expect, test } from 'vitest'
import type { TenantId } from '../../../kernel/access/actor.ts'
import { Aborter } from '../../../kernel/base/abort.ts'
import { createFakeClock } from '../../../kernel/testing/fake-clock.ts'
import { type Guard, type GuardedCall, type OutputParts, outputGuard } from '../ports/call-guards.ts'
import { askAll, judging } from './ask.ts'

const signal = new Aborter()
const call: GuardedCall = {
  ...{ id: '1', requestId: 'r', tenantId: 't' as TenantId, agentId: null, model: null, tags: [], isStream: false },
  actor: Object.freeze({}) as GuardedCall['actor'],
  signal,
}
const parts: OutputParts = { texts: [{ location: '/a', text: 'abc' }], toolCalls: [], servedBy: null }
const flag = { decision: 'flag', rule: 'r', reason: 'A reason' } as const
const base = { name: 'm.g', needs: ['texts'], limitMs: 100, judges: () => true } as const

/** @param ms time that passes before the result is read */
const outcome = async (guard: Guard<OutputParts>, ms = 0) => {
  const clock = createFakeClock()
  const asked = askAll([guard], { call, parts, clock })
  clock.advance(ms)
  const [judged] = await asked
  return judged !== undefined && 'failure' in judged ? String(judged.failure) : judged?.verdicts
}

test('a guard reads what it declares and nothing else', async () => {
  const needs: readonly (keyof OutputParts)[] = ['texts']
  const curious: Guard<OutputParts> = {
    ...base,
    needs,
    judge: (_call, part) => [{ ...flag, rule: part('toolCalls').join() }],
  }
  expect(await outcome(curious)).toContain('m.g reads toolCalls, which it does not declare')
})

test('one that is late, throws or names a span that is not there has failed', async () => {
  expect(await outcome(outputGuard({ ...base, judge: () => new Promise(() => undefined) }), 100)).toContain(
    'longer than 100 ms',
  )
  const throwing = outputGuard({
    ...base,
    judge: () => {
      throw new Error('broken')
    },
  })
  expect(await outcome(throwing)).toContain('broken')
  for (const redaction of [
    { location: '/b', start: 0, end: 1 },
    { location: '/a', start: 0, end: 4 },
    { location: '/a', start: 2, end: 2 },
    { location: '/a', start: -1, end: 2 },
  ])
    expect(await outcome(outputGuard({ ...base, judge: () => [{ ...flag, redactions: [redaction] }] }))).toContain(
      'no such text',
    )
})

test('those that judge the call are asked in the order of their names', () => {
  const named = (name: string, judges: boolean): Guard<OutputParts> =>
    outputGuard({ ...base, name, judges: () => judges, judge: () => [] })
  const found = judging([named('c.a', true), named('a.z', true), named('b.b', false)], call)
  expect(found.map(({ name }) => name)).toEqual(['a.z', 'c.a'])
})
