import { createRestoreStream, type RestoreStream, type Vault, type VaultEntry } from '@parapet/detect'
import { textFilter, through } from '../../call/event-filter.ts'
import { failingOpen } from '../../call/failing-open.ts'
import type { TextPiece, TextPlace } from '../../call/text-piece.ts'
import { type CallState, shapeOf } from '../call-state.ts'
import { note, notesOf } from '../findings.ts'
import type { PipelineParts } from '../parts.ts'
import { stepClock } from '../run.ts'
import { entityOf, ruleOf } from '../sensitive-texts.ts'
import { allow, type Step } from '../step.ts'

/** Puts the caller's own values back where the answer holds their placeholders, except in links, which would send them away. */
export function restoration(parts: PipelineParts): Step {
  return {
    n: 13,
    name: 'restoration',
    budgetMs: 0.2,
    onFailure: 'open',
    run: (state) => {
      if (state.answer === null || state.vault.entries().length === 0) return allow
      const vault = restorable(state)
      const filter = textFilter((place) => restoring(state, place, vault), shapeOf(state))
      const before = notesOf(state)
      state.answer = through(state.answer, filter, stepClock(parts.kernel, state, 13))
      return notesOf(state) > before ? { decision: 'flag' } : allow
    },
  }
}

/** Where it fails in the middle of an answer the rest keeps its placeholders, as a text whose restoration cannot begin. */
function restoring(state: CallState, place: TextPlace, vault: Vault): TextPiece {
  const failed = (): void => void state.failOpen.push('restoration')
  try {
    const stream = createRestoreStream(vault, place)
    const { push, end } = telling(state, place, stream)
    return failingOpen({ push, end, held: stream.held }, failed)
  } catch {
    // What went wrong is a fault of ours and no reason to keep an answer that its caller paid for.
    failed()
    return { push: (text) => text, end: () => '' }
  }
}

/** Notes what a model made up or put into a link, which stays as it is, and counts what it wrote in another form than it was given. */
function telling(state: CallState, { location }: TextPlace, stream: RestoreStream): TextPiece {
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
    state.restoredChanged += stream.changed() - counted
    counted = stream.changed()
    return text
  }
  return { push: (text) => tell(stream.push(text)), end: () => tell(stream.end()) }
}

/** The call's vault without the kinds whose rule says that they stay hidden. What the caller typed itself always returns. */
export function restorable({ vault, policy }: CallState): Vault {
  const rules = policy.effective.sensitive_data
  const stays = ({ type }: VaultEntry): boolean =>
    type !== 'LITERAL' && !ruleOf(rules, entityOf({ detector: 'pii', type }, rules)).restore
  const hidden = vault.entries().filter(stays)
  if (hidden.length === 0) return vault
  const names = new Set(hidden.map(({ placeholder }) => nameOf(placeholder)))
  const values = new Set(hidden.map(({ value }) => value))
  return {
    ...vault,
    valueOf: (name) => (names.has(name.toUpperCase()) ? undefined : vault.valueOf(name)),
    synthetics: {
      ...vault.synthetics,
      readAt: (text, at) => {
        const read = vault.synthetics.readAt(text, at)
        return typeof read === 'object' && values.has(read.value) ? 'none' : read
      },
    },
  }
}

function nameOf(placeholder: string): string {
  return placeholder.replace(/^[^A-Za-z]+|[^A-Za-z0-9]+$/g, '').toUpperCase()
}
