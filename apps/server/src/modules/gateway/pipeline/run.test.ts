import { describe, expect, test } from 'vitest'
import { errors } from '../errors.ts'
import { compilePolicies } from '../policy/compile.ts'
import { complete } from '../policy/defaults.ts'
import type { PolicyDocumentInput } from '../policy/document.ts'
import type { CallState } from './call-state.ts'
import { createPipeline, type Pipeline } from './order.ts'
import type { PipelineParts } from './parts.ts'
import { runSteps, stepClock } from './run.ts'
import { allow, blockByPolicy, type Step, stepNames } from './step.ts'

let now = 0
const clock = {
  monotonic: () => {
    now += 1
    return now
  },
  after: () => ({ stop: () => {} }),
}

/** Only what the runner reads. */
function stateWith(document: PolicyDocumentInput = {}): CallState {
  const policy = compilePolicies([
    { id: 'p', name: 'p', version: 1, sha256: 'x', document: complete(document), bindings: [] },
  ])
  return {
    policy,
    abort: new AbortController(),
    steps: [],
    stepEnds: [],
    violations: [],
    found: new Map(),
    failOpen: [],
    upstreamMs: 0,
    error: null,
    blockedStep: null,
    monitored: null,
  } as unknown as CallState
}

function step(over: Partial<Step>): Step {
  return { n: 6, name: 'injection_detection', budgetMs: 1, onFailure: 'injection_detection', run: () => allow, ...over }
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
    expect(state.error?.code).toBe('GW-003')
    expect(state.blockedStep).toEqual({ n: 6, name: 'injection_detection' })
    expect(state.steps.map(({ decision }) => decision)).toEqual(['allow', 'block'])
  })

  test('a watching policy lets a block of its rules through and records it', async () => {
    const state = stateWith({ mode: 'monitor' })
    await runSteps(
      { clock },
      [step({ run: () => blockByPolicy(errors.promptInjection({ count: 1, names: ['x'] })) })],
      state,
    )
    expect(state.error).toBeNull()
    expect(state.monitored).toEqual({ n: 6, name: 'injection_detection', code: 'GW-003' })
  })

  test('a step that breaks ends the call where the policy fails closed', async () => {
    const state = stateWith()
    const broken = () => {
      throw new Error('bug')
    }
    await runSteps({ clock }, [step({ run: broken })], state)
    expect(state.error?.code).toBe('GW-019')
    expect(state.steps[0]?.failed).toBe(true)
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
    expect(state.error).toBeNull()
    expect(state.failOpen).toEqual(['injection_detection'])
  })

  test('no policy opens a step that may only fail closed', async () => {
    const state = stateWith({ mode: 'monitor' })
    const run = () => Promise.reject(new Error('bug'))
    await runSteps({ clock }, [step({ n: 2, name: 'kill_switch', onFailure: 'closed', run })], state)
    expect(state.error?.code).toBe('GW-019')
  })

  test('a policy that is off does not look at content', async () => {
    const state = stateWith({ mode: 'off' })
    await runSteps({ clock }, [step({ run: () => expect.unreachable() }), step({ n: 10, name: 'routing' })], state)
    expect(state.steps.map(({ name }) => name)).toEqual(['routing'])
  })

  test('work done while an answer streams is added to its step', async () => {
    const state = stateWith()
    await runSteps({ clock }, [step({ n: 12, name: 'output_inspection' })], state)
    const before = state.steps[0]?.ms ?? 0
    stepClock({ clock }, state, 12)(() => 'work')
    expect(state.steps[0]?.ms).toBe(before + 1)
  })
})
