/**
 * Steps that touch nothing: conditions, values, and steps whose `if` does not hold. All of them that follow one another are
 * decided in memory, from the definition and the journal alone, and written with one commit. Pure. Tested in pure.test.ts.
 */
import { CelFault } from '../../../kernel/cel/program.ts'
import { canonicalHash } from '../../../kernel/crypto/canonical-json.ts'
import type { Step } from './declared/definition.ts'
import type { RunStepRow } from './declared/schema.ts'
import { filled, isTrue, type Scope } from './expressions.ts'
import { nextTurn, retryPause, type Turn } from './graph.ts'
import { faultOf, type Opened, scopeIn } from './journal.ts'

export interface Advanced {
  /** Rows of the journal that are different now. */
  readonly changed: readonly RunStepRow[]
  /** The run with them. */
  readonly opened: Opened
  /** The first thing that takes more than deciding. */
  readonly next: Exclude<Turn, { readonly kind: 'skip' }>
}

export interface Deciding {
  /** ISO 8601. */
  readonly at: string
  /** The output as it may be kept. */
  readonly keep: (output: unknown) => unknown
}

export function advancePurely(opened: Opened, deciding: Deciding): Advanced {
  const steps = new Map(opened.steps)
  const now: Opened = { ...opened, steps }
  const changed = new Map<string, RunStepRow>()
  const set = (id: string, changes: Partial<RunStepRow>): void => {
    const row = steps.get(id)
    if (row === undefined) throw new Error('the step has no row')
    const next = { ...row, ...changes }
    steps.set(id, next)
    changed.set(id, next)
  }
  for (;;) {
    const next = nextTurn(opened.version.definition, steps)
    if (next.kind === 'skip') {
      for (const id of next.ids) set(id, { status: 'skipped', ended_at: deciding.at })
      continue
    }
    const changes = next.kind === 'run' ? decided(next.step, now, deciding) : null
    if (changes === null || next.kind !== 'run') return { changed: [...changed.values()], opened: now, next }
    set(next.step.id, changes)
  }
}

/** Null for a step that takes more. */
function decided(step: Step, opened: Opened, deciding: Deciding): Partial<RunStepRow> | null {
  const { at } = deciding
  const scope = scopeIn(opened)
  const before = opened.steps.get(step.id)
  const begun = { attempts: (before?.attempts ?? 0) + 1, started_at: before?.started_at ?? at }
  try {
    if (step.if !== undefined && !isTrue(step.if, scope)) return { status: 'skipped', ended_at: at }
    const outcome = outcomeOf(step, scope)
    if (outcome === null) return null
    return {
      ...{ ...begun, input_hash: canonicalHash(outcome.input), status: outcome.status, error: null },
      ...{ output: deciding.keep(outcome.output), ended_at: at, waiting_until: null },
    }
  } catch (error) {
    // One that is tried again waits, which takes a row.
    if (!(error instanceof CelFault) || retryPause(step.retry, begun.attempts, 0) !== null) {
      if (error instanceof CelFault) return null
      throw error
    }
    return { ...begun, status: 'failed', error: faultOf('CEL', error.message), output: null, ended_at: at }
  }
}

interface Outcome {
  readonly status: 'succeeded' | 'skipped'
  readonly input: unknown
  readonly output: unknown
}

function outcomeOf(step: Step, scope: Scope): Outcome | null {
  if (step.type === 'condition') {
    const input = step.with ?? {}
    const holds = isTrue(String(input.expression ?? ''), scope)
    return { status: holds ? 'succeeded' : 'skipped', input, output: holds }
  }
  if (step.type !== 'set') return null
  const input = filled(step.with ?? {}, scope) as { readonly values?: unknown }
  return { status: 'succeeded', input, output: input.values }
}
