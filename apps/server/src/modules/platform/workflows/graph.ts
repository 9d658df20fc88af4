/**
 * The next thing to do in a run, from its definition and journal alone. A step runs when all that it waits for has
 * succeeded; where something of it was skipped, it is skipped. A step that failures lead to (`goto`) runs when one did.
 * Pure. Tested in graph.test.ts.
 */
import type { Definition, Step } from './declared/definition.ts'
import type { RunStepRow } from './declared/schema.ts'

type Journal = ReadonlyMap<string, Pick<RunStepRow, 'status' | 'attempts'>>

export type Turn =
  | { readonly kind: 'run'; readonly step: Step }
  /** These will never run. */
  | { readonly kind: 'skip'; readonly ids: readonly string[] }
  /** Somebody, or a time, has to come first. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'end'; readonly failed: string | null }

/** How a step counts for those that wait for it. */
type Weight = 'open' | 'done' | 'skipped' | 'failed'

export function nextTurn({ steps }: Definition, journal: Journal): Turn {
  const byId = new Map(steps.map((step) => [step.id, step]))
  const weigh = (id: string): Weight => weightOf(byId.get(id), journal.get(id)?.status)
  const failed = steps.find((step) => weigh(step.id) === 'failed')
  if (failed !== undefined) return { kind: 'end', failed: failed.id }
  const open = steps.filter(({ id }) => weigh(id) === 'open')
  if (open.length === 0) return { kind: 'end', failed: null }
  const skipped = open.filter((step) => isSkipped(step, { steps, journal, weigh }))
  if (skipped.length > 0) return { kind: 'skip', ids: skipped.map(({ id }) => id) }
  const ready = open.find((step) => isPending(journal.get(step.id)?.status) && isReady(step, { steps, journal, weigh }))
  return ready === undefined ? { kind: 'wait' } : { kind: 'run', step: ready }
}

/** One that was running when its worker died runs again. */
const isPending = (status: RunStepRow['status'] | undefined): boolean => status === 'pending' || status === 'running'

function weightOf(step: Step | undefined, status: RunStepRow['status'] | undefined): Weight {
  if (status === 'succeeded') return 'done'
  if (status === 'skipped') return 'skipped'
  if (status !== 'failed') return 'open'
  if (step?.on_error === 'continue') return 'done'
  return step?.on_error === 'goto' ? 'skipped' : 'failed'
}

interface Around {
  readonly steps: readonly Step[]
  readonly journal: Journal
  readonly weigh: (id: string) => Weight
}

function sourcesOf({ id }: Step, steps: readonly Step[]): readonly Step[] {
  return steps.filter(({ goto }) => goto === id)
}

function isReady(step: Step, { steps, journal, weigh }: Around): boolean {
  const sources = sourcesOf(step, steps)
  const isCalled = sources.length === 0 || sources.some(({ id }) => journal.get(id)?.status === 'failed')
  return isCalled && (step.depends_on ?? []).every((id) => weigh(id) === 'done')
}

function isSkipped(step: Step, { steps, journal, weigh }: Around): boolean {
  if (journal.get(step.id)?.status !== 'pending') return false
  if ((step.depends_on ?? []).some((id) => weigh(id) === 'skipped')) return true
  const sources = sourcesOf(step, steps)
  return sources.length > 0 && sources.every(({ id }) => weigh(id) !== 'open' && journal.get(id)?.status !== 'failed')
}

export interface RetryPolicy {
  readonly max_attempts: number
  readonly initial_ms?: number
  readonly factor?: number
  readonly max_ms?: number
}

/**
 * Milliseconds before the next attempt after `attempts` failed ones, up to a fifth more by chance (`fraction` in [0, 1));
 * null where there is none.
 */
export function retryPause(retry: RetryPolicy | undefined, attempts: number, fraction: number): number | null {
  const { max_attempts: most = 1, initial_ms: initial = 1_000, factor = 2, max_ms: longest = 300_000 } = retry ?? {}
  if (attempts >= most) return null
  return Math.round(Math.min(initial * factor ** (attempts - 1), longest) * (1 + fraction / 5))
}
