import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { Aborter } from '../../../kernel/base/abort.ts'
import { errors } from '../declared/errors.ts'
import { compilePolicies } from '../policy/compile.ts'
import { complete } from '../policy/defaults.ts'
import type { PolicyDocumentInput } from '../policy/document.ts'
import type { CallState } from './contract/call-parts.ts'
import type { Step } from './contract/step.ts'
import { createPipeline, type Pipeline } from './order.ts'
import { failureProblem } from './progress/failure.ts'
import { allow, blockByPolicy } from './progress/outcome.ts'
import { stepClock } from './progress/step-clock.ts'
import { stepNames } from './progress/step-names.ts'
import { runSteps } from './run.ts'
import type { PipelineParts } from './steps/parts.ts'

let now = 0
const clock = {
  monotonic: () => {
    now += 1
    return now
  },
  after: () => ({ stop: () => {} }),
}

/** Only the members that the runner reads. */
function stateWith(document: PolicyDocumentInput = {}): CallState {
  const policy = compilePolicies([
    { id: 'p', name: 'p', version: 1, sha256: 'x', document: complete(document), bindings: [] },
  ])
  return {
    plan: { policy },
    life: { abort: new Aborter() },
    findings: { violations: [], found: new Map(), failOpen: [], monitored: null },
    timings: { upstreamMs: 0, stepEnds: [] },
    progress: { steps: [], error: null, blockedStep: null },
  } as unknown as CallState
}

function step(over: Partial<Step>): Step {
  return { n: 6, name: 'injection_detection', budgetMs: 1, onFailure: 'injection_detection', run: () => allow, ...over }
}

/** Steps that say that they ran. */
function noted() {
  const ran: number[] = []
  const noting = (n: number): Step =>
    step({
      n,
      run: () => {
        ran.push(n)
        return allow
      },
    })
  return { ran, step: noting }
}

describe('the order', () => {
  test('is the fourteen steps, whatever a policy says', () => {
    const { answering, recording }: Pipeline = createPipeline({} as PipelineParts)
    const all = [...answering, recording]
    expect(all.map(({ name }) => name)).toEqual(stepNames)
    expect(all.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14])
  })
})

describe('running steps', () => {
  test('stops at a block and remembers where', async () => {
    const state = stateWith()
    const blocked = step({ run: () => blockByPolicy(errors.promptInjection({ count: 1, names: ['x'] })) })
    const never = step({ run: () => expect.unreachable() })
    await runSteps({ clock }, [step({}), blocked, never], state)
    expect(state.progress.error?.code).toBe('GW-003')
    expect(state.progress.blockedStep).toEqual({ n: 6, name: 'injection_detection' })
    expect(state.progress.steps.map(({ decision }) => decision)).toEqual(['allow', 'block'])
  })

  test('a call that was ended from outside goes no further, whatever the step found that was running', async () => {
    for (const n of [2, 6, 9, 12, 13]) {
      const state = stateWith({ mode: 'monitor' })
      const stopped = errors.killSwitch({ what: 'stopped' })
      const running = step({
        n,
        run: async () => {
          state.life.abort.abort(stopped)
          return allow
        },
      })
      const after = noted()
      await runSteps({ clock }, [running, after.step(n)], state)
      expect(after.ran).toEqual([])
      expect(state.progress.error).toBe(stopped)
    }
  })

  test('an answer that came before its call was ended is counted, and the outcome is recorded', async () => {
    const state = stateWith()
    state.life.abort.abort(errors.killSwitch({ what: 'stopped' }))
    const noting = noted()
    await runSteps({ clock }, [11, 12, 13].map(noting.step), state)
    await runSteps({ clock }, [noting.step(14)], state)
    expect(noting.ran).toEqual([11, 12, 14])
  })

  test('a watching policy lets a block of its rules through and records it', async () => {
    const state = stateWith({ mode: 'monitor' })
    await runSteps(
      { clock },
      [step({ run: () => blockByPolicy(errors.promptInjection({ count: 1, names: ['x'] })) })],
      state,
    )
    expect(state.progress.error).toBeNull()
    expect(state.findings.monitored).toEqual({ n: 6, name: 'injection_detection', code: 'GW-003' })
  })

  test('a step that breaks ends the call where the policy fails closed', async () => {
    const state = stateWith()
    const broken = () => {
      throw new Error('bug')
    }
    await runSteps({ clock }, [step({ run: broken })], state)
    expect(state.progress.error?.code).toBe('GW-019')
    expect(state.progress.steps[0]?.failed).toBe(true)
  })

  test('a step that says itself that it failed is recorded as failed, and one that refuses is not', async () => {
    const refusals = [failureProblem('sensitive_data', new Error('bug')), errors.sensitiveData({ names: ['EMAIL'] })]
    const records = refusals.map(async (refusal) => {
      const state = stateWith()
      await runSteps({ clock }, [step({ run: () => Promise.reject(refusal) })], state)
      return state.progress.steps[0]
    })
    expect(await Promise.all(records)).toMatchObject([
      { decision: 'block', failed: true },
      { decision: 'block', failed: false },
    ])
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('bug')
      },
    ],
    ['rejects', () => Promise.reject(new Error('bug'))],
  ])('a step that %s is passed and recorded where the policy fails open', async (_how, run) => {
    const state = stateWith({ failure: { injection_detection: 'open' } })
    await runSteps({ clock }, [step({ run })], state)
    expect(state.progress.error).toBeNull()
    expect(state.findings.failOpen).toEqual(['injection_detection'])
  })

  test('no policy opens a step that may only fail closed', async () => {
    const state = stateWith({ mode: 'monitor' })
    const run = () => Promise.reject(new Error('bug'))
    await runSteps({ clock }, [step({ n: 2, name: 'kill_switch', onFailure: 'closed', run })], state)
    expect(state.progress.error?.code).toBe('GW-019')
  })

  test('a policy that is off does not look at content', async () => {
    const state = stateWith({ mode: 'off' })
    await runSteps({ clock }, [step({ run: () => expect.unreachable() }), step({ n: 10, name: 'routing' })], state)
    expect(state.progress.steps.map(({ name }) => name)).toEqual(['routing'])
  })

  test('work done while an answer streams is added to its step', async () => {
    const state = stateWith()
    await runSteps({ clock }, [step({ n: 12, name: 'output_inspection' })], state)
    const before = state.progress.steps[0]?.ms ?? 0
    stepClock({ clock }, state, 12)(() => 'work')
    expect(state.progress.steps[0]?.ms).toBe(before + 1)
  })
})

describe('a step that waits', () => {
  const never = () => new Promise<never>(() => {})
  /** Fires at once, and records its delay. */
  const impatient = (set: number[]) => ({
    ...clock,
    after: (ms: number, run: () => void) => {
      set.push(ms)
      queueMicrotask(run)
      return { stop: () => {} }
    },
  })

  test('has failed after ten times its budget and never before 250 ms, or after its own limit', async () => {
    const set: number[] = []
    const waiting = [{}, { budgetMs: 100 }, { limitMs: 7 }, { limitMs: () => 9 }]
    for (const over of waiting) {
      const state = stateWith()
      await runSteps({ clock: impatient(set) }, [step({ run: never, ...over })], state)
      expect(state.progress.error?.code).toBe('GW-019')
      expect(state.progress.steps).toMatchObject([{ decision: 'block', failed: true }])
    }
    expect(set).toEqual([250, 1000, 7, 9])
  })

  test('and may be passed is passed, and the call goes on', async () => {
    const state = stateWith({ failure: { injection_detection: 'open' } })
    await runSteps({ clock: impatient([]) }, [step({ run: never }), step({ n: 7, name: 'sensitive_data' })], state)
    expect(state.progress.error).toBeNull()
    expect(state.findings.failOpen).toEqual(['injection_detection'])
    expect(state.progress.steps.map(({ failed }) => failed)).toEqual([true, false])
  })

  test('for a model or the audit log is bounded by what it waits for', async () => {
    const set: number[] = []
    await runSteps({ clock: impatient(set) }, [step({ run: async () => allow, limitMs: null })], stateWith())
    expect(set).toEqual([])
  })

  test('has the limit that the documentation tells', () => {
    const page = readFileSync(new URL('../../../../../../docs/explanation/architecture.md', import.meta.url), 'utf8')
    const { answering, recording } = createPipeline({} as PipelineParts)
    const patient = stateWith()
    const state = { ...patient, facts: { asked: { timeoutMs: null } } } as unknown as CallState
    const told = [...answering, recording].map(({ n, name, limitMs }) => {
      const ms = typeof limitMs === 'function' ? limitMs(state) : limitMs
      return `| ${n} | \`${name}\` | ${typeof ms === 'number' ? `${ms / 1000} s` : '–'} |`
    })
    for (const row of told) expect(page).toContain(row)
  })
})
