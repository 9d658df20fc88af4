/**
 * Placeholders that the caller typed.
 * Promises to see every form that a restorer would read; those in the vault's own brackets are findings, of the others
 * the names are remembered. Tested in redact.test.ts.
 */
import type { Finding } from '../finding.ts'
import type { Matcher } from '../matcher.ts'
import { anchorsOf } from './anchors.ts'
import { jsonPairs, nameShape } from './placeholder.ts'
import { type Grammar, grammarOf, longestOpening, openingsOf, readAt, terminator, wordContext } from './reading.ts'
import type { Vault } from './vault.ts'

const anyName = (): boolean => true

/** Typed text in the vault's own brackets, as findings of type `LITERAL`. */
export function typedPlaceholders(text: string, vault: Vault): Finding[] {
  const found: Finding[] = []
  typedMatcher(vault).collect(text, 0, found)
  return found
}

/** The same for streams. */
export function typedMatcher({ pairs }: Vault): Matcher {
  const own = pairs.filter(({ exact }) => exact)
  const grammar = grammarOf(own, { json: false, mayBegin: anyName })
  const open = own[0]?.open ?? ''
  return {
    types: ['LITERAL'],
    marked: true,
    collect: (text, from, found) => {
      const ended = text + terminator
      const anchors = anchorsOf(ended, open.length)
      const next = (at: number): number => text.indexOf(open, anchors.next(at))
      for (let start = next(from); start >= 0; start = next(start + 1)) {
        const reading = readAt(ended, start, grammar)
        if (typeof reading !== 'object' || !reading.exact || !nameShape.test(reading.name)) continue
        found.push({ detector: 'output', type: 'LITERAL', start, end: reading.end, score: 1 })
      }
    },
  }
}

export interface TypedNames {
  /** Takes the next piece of text that stays as it was typed. */
  push(piece: string): void
  /** Says that a replacement or the end follows. */
  break(): void
}

/** Remembers in the vault the names that stand in a text in any form but the vault's own. */
export function createTypedNames(vault: Vault): TypedNames {
  const plain = grammarOf(vault.pairs, { json: false, mayBegin: anyName })
  // What is typed as JSON may be restored as JSON.
  const inJson = jsonPairs(vault.pairs).filter(({ exact }) => !exact)
  const json = grammarOf(inJson, { json: true, mayBegin: anyName })
  const watches = [plain, json].map((grammar) => createWatch(grammar, vault))
  return {
    push: (piece) => {
      for (const watch of watches) watch.push(piece)
    },
    break: () => {
      for (const watch of watches) watch.break()
    },
  }
}

function createWatch(grammar: Grammar, vault: Vault): TypedNames {
  const openings = openingsOf(grammar)
  let held = ''
  let context = 0
  const longest = longestOpening(grammar)
  const scan = (text: string): number => {
    const anchors = anchorsOf(text, longest)
    const next = (at: number): RegExpExecArray | null => {
      openings.lastIndex = anchors.next(at)
      return openings.exec(text)
    }
    for (let hit = next(context); hit; hit = next(hit.index + 1)) {
      const reading = readAt(text, hit.index, grammar)
      if (reading === 'open') return hit.index
      if (typeof reading === 'object' && nameShape.test(reading.name)) vault.keepTyped(reading.name)
    }
    return text.length
  }
  return {
    push: (piece) => {
      const text = held + piece
      const rest = scan(text)
      const from = Math.max(0, rest - wordContext)
      held = text.slice(from)
      context = rest - from
    },
    break: () => {
      scan(held + terminator)
      held = ''
      context = 0
    },
  }
}
