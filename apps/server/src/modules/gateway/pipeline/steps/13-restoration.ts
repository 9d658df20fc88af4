import { createRestoreStream, type RestoreStream, type Vault } from '@parapet/detect'
import { textFilter, through } from '../../call/texts/event-filter.ts'
import { failingOpen } from '../../call/texts/failing-open.ts'
import type { TextPiece, TextPlace } from '../../call/texts/text-piece.ts'
import type { Writes } from '../../call/writes.ts'
import type { WithFindings } from '../../findings/call-findings.ts'
import { note, notesOf, passOpen } from '../../findings/findings.ts'
import { restorable } from '../../inspection/restorable.ts'
import { shapeOf } from '../../plan/answer-shape.ts'
import type { WithPlan } from '../../plan/call-plan.ts'
import type { Step } from '../contract/step.ts'
import { allow } from '../progress/outcome.ts'
import { stepClock } from '../progress/step-clock.ts'
import type { PipelineParts } from './parts.ts'

type Reads = 'facts' | 'plan' | 'findings' | 'answer' | 'progress'
type Changed = 'findings' | 'answer'

/** Puts the caller's own values back where the answer holds their placeholders, except in links, which would send them away. */
export function restoration(parts: PipelineParts): Step<Reads, Changed> {
  return {
    n: 13,
    name: 'restoration',
    budgetMs: 0.2,
    onFailure: 'open',
    run: (state) => {
      if (state.answer.flow === null || state.plan.vault.entries().length === 0) return allow
      const vault = restorable(state)
      const filter = textFilter((place) => restoring(state, place, vault), shapeOf(state))
      const before = notesOf(state)
      state.write({ answer: { flow: through(state.answer.flow, filter, stepClock(parts.kernel, state, 13)) } })
      return notesOf(state) > before ? { decision: 'flag' } : allow
    },
  }
}

/**
 * If it fails in the middle of an answer, the rest keeps its placeholders, like a text whose restoration cannot begin.
 */
function restoring(state: WithPlan & WithFindings & Writes<WithFindings>, place: TextPlace, vault: Vault): TextPiece {
  const failed = (): void => passOpen(state, 'restoration')
  try {
    const stream = createRestoreStream(vault, place)
    const { push, end } = telling(state, place, stream)
    return failingOpen({ push, end, held: stream.held }, failed)
  } catch {
    // The failure is ours and no reason to withhold an answer that its caller paid for.
    failed()
    return { push: (text) => text, end: () => '' }
  }
}

/**
 * Records placeholders that a model made up or put into a link, which stay as they are, and counts those it wrote in
 * another form than it was given.
 */
function telling(
  state: WithPlan & WithFindings & Writes<WithFindings>,
  { location }: TextPlace,
  stream: RestoreStream,
): TextPiece {
  let told = 0
  let counted = 0
  let linked = 0
  const tell = (text: string): string => {
    const inLinks = stream.inLinks() - linked
    if (inLinks > 0)
      note(state, {
        ...{ rule: 'placeholder-in-link', step: 'restoration', category: 'placeholder', action: 'flag' },
        ...{ location, count: inLinks },
      })
    linked += inLinks
    const count = stream.unknown.length - told
    if (count > 0)
      note(state, {
        ...{ rule: 'unknown-placeholder', step: 'restoration', category: 'placeholder', action: 'flag' },
        ...{ location, count },
      })
    told += count
    const changed = stream.changed()
    if (changed !== counted)
      state.write({ findings: { restoredChanged: state.findings.restoredChanged + changed - counted } })
    counted = changed
    return text
  }
  return { push: (text) => tell(stream.push(text)), end: () => tell(stream.end()) }
}
