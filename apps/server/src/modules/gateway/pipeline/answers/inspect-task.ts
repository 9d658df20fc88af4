/**
 * The inspection of a large answer as a task: the filters of step 12 over a call made of plain data. Promises the same
 * findings as an inspection in place. Tested in whole-inspection.test.ts.
 */
import { type Brackets, createVault, type Vault, type VaultEntry } from '@parapet/detect'
import type { Actor } from '../../../../kernel/access/actor.ts'
import { systemClock } from '../../../../kernel/base/clock.ts'
import { createRandom } from '../../../../kernel/crypto/random.ts'
import type { ThreadTask } from '../../../../kernel/threads/thread-task.ts'
import { type Asked, plainAsked } from '../../call/asked.ts'
import type { AnswerEvent, CanonicalCall } from '../../call/call.ts'
import { joinPieces, piecesOf } from '../../call/texts/answer-turns.ts'
import { createHitLog } from '../../findings/output-hit.ts'
import { rulesOf } from '../../policy/compile.ts'
import type { EffectivePolicy } from '../../policy/effective.ts'
import { beginCall } from '../begin.ts'
import type { CallState } from '../contract/call-parts.ts'
import type { InspectedWhole } from '../contract/whole-inspection.ts'
import { answerFilter } from '../steps/12-output-inspection.ts'
import type { Stop } from '../steps/12-output-pieces.ts'

export interface AnswerToInspect {
  readonly events: readonly AnswerEvent[]
  readonly call: CanonicalCall
  readonly policy: EffectivePolicy
  readonly values: VaultValues
  readonly actor: Actor
  readonly asked: Pick<Asked, 'operation' | 'dialect'>
}

/** Contents of a vault without stand-ins. */
export interface VaultValues {
  readonly brackets: Brackets
  readonly entries: readonly VaultEntry[]
}

/** A vault in which the same names stand for the same values, where they came in this order. */
export function vaultOf({ brackets, entries }: VaultValues): Vault {
  const vault = createVault({ brackets })
  for (const { type, value } of entries) vault.placeholderFor(type, value)
  return vault
}

export const inspectAnswer: ThreadTask<AnswerToInspect, InspectedWhole> = {
  name: 'gateway.answer.inspect',
  lane: 'bulk',
  run: ({ events, ...call }, { stopped }) => {
    const state = stateOf(call, events)
    const stop: Stop = { stopped: false, message: null, problem: null }
    const filter = answerFilter(state, { clock, stop })
    const passed: AnswerEvent[] = []
    for (const event of events)
      for (const piece of piecesOf(event)) {
        if (stopped()) throw new Error('Nobody waits for the answer any more')
        if (!stop.stopped) passed.push(...filter.push(piece))
      }
    if (!stop.stopped) passed.push(...filter.end())
    const { hits, failOpen } = state.findings
    return {
      events: joinPieces(passed),
      hits: hits?.hits() ?? [],
      failOpen,
      block: stop.stopped ? { message: stop.message } : null,
    }
  },
}

const clock = systemClock()
const machine = { clock, random: createRandom(clock.now) }
const { signal } = new AbortController()

function stateOf(
  { call, policy, values, actor, asked }: Omit<AnswerToInspect, 'events'>,
  events: readonly AnswerEvent[],
): CallState {
  const info = { id: '', path: '', ip: '', userAgent: null, traceparent: '', signal, header: () => undefined }
  const read = (): CanonicalCall => call
  const state = beginCall(machine, { actor, info }, { ...plainAsked, ...asked, read })
  const compiled = { effective: policy, sources: [], sha256: '', rules: rulesOf(policy), conditions: [] }
  state.write({
    plan: { call, policy: compiled, vault: vaultOf(values) },
    answer: { flow: { kind: 'whole', events } },
    findings: { hits: createHitLog() },
  })
  return state
}
