import { expect, test } from 'vitest'
import type { Step } from './declared/definition.ts'
import type { RunStepRow } from './declared/schema.ts'
import type { Opened } from './journal.ts'
import { advancePurely } from './pure.ts'

const open = (marked: string) => `$\{{ ${marked} }}`

/** A run of these steps, of which nothing has begun. */
function opened(steps: readonly Step[], input: object = {}): Opened {
  const rows = steps.map(({ id, type }, position) => ({
    ...{ id, step_id: id, type, position, status: 'pending', attempts: 0, decisions: [], started_at: null },
  }))
  return {
    run: { id: 'run', workflow_version: 1, dry_run: false, event: null, input },
    version: { definition: { trigger: { type: 'manual' }, steps } },
    key: 'key',
    steps: new Map(rows.map((row) => [row.id, row as unknown as RunStepRow])),
  } as unknown as Opened
}

const advance = (steps: readonly Step[], input: object = {}) =>
  advancePurely(opened(steps, input), { at: '2026-01-02T03:04:05.678Z', keep: (output) => output })
const statuses = ({ changed }: ReturnType<typeof advance>) => changed.map(({ id, status }) => [id, status])

const set = (id: string, rest: Partial<Step> = {}): Step => ({ id, type: 'set', with: { values: { x: '1' } }, ...rest })
const effect: Step = { id: 'effect', type: 'recalculate_trust', depends_on: ['b'] }

test('steps that touch nothing are decided up to the first that does, each with what came before it', () => {
  const steps: Step[] = [
    set('a', { with: { values: { n: open('input.n + 1') } } }),
    { id: 'b', type: 'condition', depends_on: ['a'], with: { expression: 'steps.a.output.n == 3' } },
    effect,
    set('after', { depends_on: ['effect'] }),
  ]
  const advanced = advance(steps, { n: 2 })
  expect(statuses(advanced)).toEqual([
    ['a', 'succeeded'],
    ['b', 'succeeded'],
  ])
  expect(advanced.changed[0]).toMatchObject({ attempts: 1, output: { n: 3 }, ended_at: '2026-01-02T03:04:05.678Z' })
  expect(advanced.next).toEqual({ kind: 'run', step: effect })
})

test('a condition that does not hold skips what waits for it, to the end', () => {
  const advanced = advance([{ id: 'b', type: 'condition', with: { expression: 'false' } }, effect], {})
  expect(statuses(advanced)).toEqual([
    ['b', 'skipped'],
    ['effect', 'skipped'],
  ])
  expect(advanced.next).toEqual({ kind: 'end', failed: null })
})

test('an effect whose `if` does not hold is skipped without being begun', () => {
  const advanced = advance([set('b'), { ...effect, if: 'steps.b.output.x == "2"' }])
  expect(statuses(advanced)).toEqual([
    ['b', 'succeeded'],
    ['effect', 'skipped'],
  ])
})

test('an expression that cannot be decided fails its step, and leaves one that is tried again to the engine', () => {
  const broken = { values: { x: open('input.missing + 1') } }
  const advanced = advance([set('a'), set('b', { depends_on: ['a'], with: broken })])
  expect(statuses(advanced)).toEqual([
    ['a', 'succeeded'],
    ['b', 'failed'],
  ])
  expect(advanced.changed[1]).toMatchObject({ error: { code: 'CEL' }, attempts: 1 })
  expect(advanced.next).toEqual({ kind: 'end', failed: 'b' })
  const again = set('a', { with: broken, retry: { max_attempts: 3 } })
  expect(advance([again])).toMatchObject({ changed: [], next: { kind: 'run', step: { id: 'a' } } })
})

test('what was given is not changed', () => {
  const before = opened([set('a')])
  advancePurely(before, { at: '2026-01-02T03:04:05.678Z', keep: (output) => output })
  expect(before.steps.get('a')).toMatchObject({ status: 'pending', attempts: 0 })
})
