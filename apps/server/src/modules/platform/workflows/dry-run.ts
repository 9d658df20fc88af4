/**
 * A rehearsal: conditions are evaluated on the event and the input, and each step shows the call that it would make, with
 * nothing sent and nothing changed but the journal of the rehearsal itself. Approvals count as given, waits as over. Tested
 * in workflows.test.ts.
 */
import { CelFault } from '../../../kernel/cel/program.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import type { PlatformServices } from '../services/platform-services.ts'
import type { Step } from './declared/definition.ts'
import type { RunStepRow } from './declared/schema.ts'
import { evaluated, filledSoFar, isTrue, type Scope } from './expressions.ts'
import { nextTurn } from './graph.ts'
import { faultOf, keptOutput, openRun, patchRun, patchStep, scopeIn } from './journal.ts'
import { permissionOf } from './permissions.ts'

export async function rehearse({ kernel }: PlatformServices, tx: Tx, runId: string): Promise<void> {
  const at = kernel.clock.iso()
  for (;;) {
    const opened = await openRun(tx, runId)
    if (opened === null) return
    const turn = nextTurn(opened.version.definition, opened.steps)
    if (turn.kind === 'skip') {
      for (const id of turn.ids) {
        const row = opened.steps.get(id)
        if (row !== undefined) await patchStep(tx, row, { status: 'skipped', ended_at: at })
      }
      continue
    }
    if (turn.kind !== 'run') {
      const failed = turn.kind === 'end' && turn.failed !== null
      await patchRun(tx, kernel, opened.run, { status: failed ? 'failed' : 'completed', started_at: at, ended_at: at })
      return
    }
    const row = opened.steps.get(turn.step.id)
    if (row === undefined) throw new Error('the step has no row')
    const { output, ...changes } = rehearsed(turn.step, scopeIn(opened))
    await patchStep(tx, row, {
      ...{ ...changes, attempts: 1, started_at: at, ended_at: at },
      output: keptOutput(kernel, tx, output),
    })
  }
}

function rehearsed(step: Step, scope: Scope): Partial<RunStepRow> {
  try {
    if (step.if !== undefined && !isTrue(step.if, scope)) return { status: 'skipped', output: null }
    if (step.type === 'condition') {
      const holds = isTrue(String(step.with?.expression ?? ''), scope)
      return { status: holds ? 'succeeded' : 'skipped', output: holds }
    }
    if (step.type === 'set') {
      const values = filledSoFar(step.with?.values ?? {}, scope)
      return { status: 'succeeded', output: values }
    }
    return { status: 'succeeded', output: { would: wouldDo(step, scope), permission: permissionOf(step) } }
  } catch (error) {
    if (error instanceof CelFault) return { status: 'failed', output: null, error: faultOf('CEL', error.message) }
    throw error
  }
}

function wouldDo(step: Step, scope: Scope): unknown {
  const input = step.with ?? {}
  if (step.type !== 'for_each') return { type: step.type, with: filledSoFar(input, scope) }
  const items = evaluated(String(input.items ?? ''), scope)
  if (!Array.isArray(items)) throw new CelFault('`items` is no list.')
  return items.map((item, index) => ({
    type: input.type,
    with: filledSoFar(input.with ?? {}, { ...scope, item, index }),
  }))
}
