/** A result that arrives after its step was given up has no effect, neither on the call nor outside it. */
import { expect, test } from 'vitest'
import { type Case, cases, clock, stateUnder } from '../testing/late-steps.ts'
import type { CallState } from './contract/call-parts.ts'
import { runSteps } from './run.ts'

/** All that a step could have done. */
function done({ facts: _facts, plan: all, ...rest }: CallState, beside: readonly string[]): string {
  const { policy: _policy, snapshot, ...plan } = all
  const plain = (_key: string, value: unknown): unknown =>
    value instanceof Map || value instanceof Set ? [...value] : typeof value === 'bigint' ? String(value) : value
  return JSON.stringify([rest, plan, plan.vault.entries(), snapshot.providers.length, beside], plain)
}

/** Turns of the event loop until nothing is left to be done. */
async function quiet(): Promise<void> {
  for (let turns = 0; turns < 10; turns += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** Runs a step that times out before its awaited result arrives, or one whose result arrives in time. */
async function ran({ document = {}, before, step }: Case, how: 'late' | 'in time') {
  const state = stateUnder(document)
  before?.(state)
  const beside: string[] = []
  let timeOver: () => void = () => undefined
  let come: () => void = () => undefined
  const gate = new Promise<void>((resolve) => {
    come = resolve
  })
  const timer = (_ms: number, work: () => void) => {
    timeOver = work
    return { stop: () => undefined }
  }
  const running = runSteps({ clock: { ...clock, after: timer } }, [step((make) => gate.then(make), beside)], state)
  await quiet()
  if (how === 'late') timeOver()
  if (how === 'in time') come()
  await running
  const passed = done(state, beside)
  come()
  await quiet()
  return { state, passed, after: done(state, beside) }
}

test.each(cases)('what %s, waited for is lost on it when it comes too late', async (_what, one) => {
  const { passed, after, state } = await ran(one, 'late')
  expect(state.progress.steps).toMatchObject([{ failed: true }])
  expect(after).toBe(passed)
})

test.each(cases)('what %s, waited for has its effect when it comes in time', async (_what, one) => {
  const [late, inTime] = [await ran(one, 'late'), await ran(one, 'in time')]
  expect(inTime.passed === late.passed).toBe(one.alike === true)
})

test('a step whose time is over has no effect even before its failure is heard of', async () => {
  const [, one] = cases.find(([what]) => what.startsWith('sensitive data')) ?? []
  if (one === undefined) throw new Error('there is no such case')
  let come: () => void = () => undefined
  const gate = new Promise<void>((resolve) => {
    come = resolve
  })
  const after = (_ms: number, work: () => void) => {
    // In one turn, as two things that happen at once.
    queueMicrotask(() => {
      come()
      work()
    })
    return { stop: () => undefined }
  }
  const state = stateUnder({})
  await runSteps({ clock: { ...clock, after } }, [one.step((make) => gate.then(make), [])], state)
  await quiet()
  expect([state.findings.failOpen, state.plan.vault.entries()]).toEqual([['sensitive_data'], []])
})
