/**
 * Placeholders that the caller typed.
 * Promises to see every form that a restorer would read; those in the vault's own brackets are findings, of the others
 * the names are remembered. Tested in redact.test.ts.
 */
import type { Finding } from '../base/finding.ts'
import type { Matcher } from '../base/matcher.ts'
import { anchorsOf, numberAfter } from './anchors.ts'
import type { Forms } from './forms.ts'
import { nameShape } from './placeholder.ts'
import { type Grammar, readAt, terminator, wordContext } from './reading.ts'
import type { Vault } from './vault.ts'

/** Typed names are of any vault. */
const anyNameIn = (forms: Forms, json: boolean): Grammar => ({ forms, json, mayBegin: () => true })

/** Typed text in the vault's own brackets, as findings of type `LITERAL`. */
export function typedPlaceholders(text: string, vault: Vault): Finding[] {
  const found: Finding[] = []
  typedMatcher(vault).collect(text, 0, found)
  return found
}

/** The same for streams. */
export function typedMatcher({ forms, brackets: { open } }: Vault): Matcher {
  const grammar = anyNameIn(forms.own, false)
  return {
    types: ['LITERAL'],
    marked: true,
    collect: (text, from, found) => {
      if (numberAfter(text, from) < 0) return
      const ended = text + terminator
      const anchors = anchorsOf(ended, open.length, true)
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

/** Pieces are put together up to this length before they are looked at. */
const mostHeld = 2048

/** Remembers in the vault the names that stand in a text in any form but the vault's own. */
export function createTypedNames(vault: Vault): TypedNames {
  const plain = createSearch(anyNameIn(vault.forms.plain, false), vault)
  // Names typed as JSON may be restored as JSON.
  const json = createSearch(anyNameIn(vault.forms.othersInJson, true), vault)
  let held = ''
  let context = 0
  // Only an escape makes JSON say more than text does.
  const scan = (text: string, isWhole: boolean): number => {
    const rest = plain(text, context, isWhole)
    return text.includes('\\') ? Math.min(rest, json(text, context, isWhole)) : rest
  }
  return {
    push: (piece) => {
      held += piece
      if (held.length - context <= mostHeld) return
      const rest = scan(held, false)
      const from = Math.max(0, rest - wordContext)
      held = held.slice(from)
      context = rest - from
    },
    break: () => {
      // Most pieces between values are short and hold no number.
      if (held !== '' && numberAfter(held, 0) >= 0) scan(held + terminator, true)
      held = ''
      context = 0
    },
  }
}

/** Reads the names from a place on; gives the place from which more text could change the answer. */
type Search = (text: string, from: number, isWhole: boolean) => number

function createSearch(grammar: Grammar, vault: Vault): Search {
  const { openings, longestOpen } = grammar.forms
  return (text, from, isWhole) => {
    const anchors = anchorsOf(text, longestOpen, isWhole)
    for (openings.lastIndex = anchors.next(from); openings.test(text); ) {
      const at = openings.lastIndex - 1
      const reading = readAt(text, at, grammar)
      if (reading === 'open') return at
      if (typeof reading === 'object' && nameShape.test(reading.name)) vault.keepTyped(reading.name)
      openings.lastIndex = anchors.next(at + 1)
    }
    return text.length
  }
}
