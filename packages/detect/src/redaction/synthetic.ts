/**
 * Stand-ins for values: they pass the checks of a receiver and belong to no person.
 * Promises reserved or test ranges only, one stand-in per value and vault, and none that was seen in a text of the
 * call; a type without such a range has no stand-in. Tested in styles.test.ts.
 */
import { isAlphanumeric } from '../base/matcher.ts'
import { syntheticValue } from './synthetic-values.ts'
import type { VaultEntry } from './vault.ts'

export interface Synthetics {
  /** The stand-in of a value, or undefined when its type has no safe range left. */
  standInFor(type: string, value: string): string | undefined
  /** Remembers a text: the caller's own text is never made a stand-in later. */
  avoid(text: string): void
  /** First characters of all stand-ins. */
  firsts(): readonly string[]
  /** The stand-in that begins at a place; `open` when more text decides. */
  readAt(text: string, at: number): 'none' | 'open' | { readonly value: string; readonly end: number }
  entries(): readonly VaultEntry[]
}

const mostTries = 16
// Characters compared in looking for a stand-in among the texts of a call; beyond them placeholders are used.
const searchBudget = 100_000_000

export function createSynthetics(): Synthetics {
  const byValue = new Map<string, VaultEntry>()
  const index = createIndex()
  const pool = createPool(index.has)
  return {
    standInFor: (type, value) => {
      const key = `${type}\n${value}`
      const known = byValue.get(key)
      if (known) return known.placeholder
      const placeholder = pool.next(type, value)
      if (placeholder === undefined) return undefined
      byValue.set(key, { placeholder, type, value })
      index.add(placeholder, value)
      return placeholder
    },
    avoid: pool.avoid,
    firsts: index.firsts,
    readAt: index.readAt,
    entries: () => [...byValue.values()],
  }
}

interface Pool {
  next(type: string, value: string): string | undefined
  avoid(text: string): void
}

/** Candidates in order of their numbers, without those that stand in a text of the call. */
function createPool(isTaken: (candidate: string) => boolean): Pool {
  const counts = new Map<string, number>()
  const seen: string[] = []
  let seenLength = 0
  let spent = 0
  const isFree = (candidate: string): boolean => {
    spent += seenLength
    return !isTaken(candidate) && !seen.some((text) => text.includes(candidate))
  }
  return {
    next: (type, value) => {
      for (let tries = 0; tries < mostTries && spent < searchBudget; tries += 1) {
        const number = (counts.get(type) ?? 0) + 1
        counts.set(type, number)
        const candidate = syntheticValue(type, value, number)
        if (candidate === undefined || isFree(candidate)) return candidate
      }
      return undefined
    },
    avoid: (text) => {
      seen.push(text)
      seenLength += text.length
    },
  }
}

interface Index {
  readonly has: (standIn: string) => boolean
  readonly firsts: Synthetics['firsts']
  readonly readAt: Synthetics['readAt']
  add(standIn: string, value: string): void
}

/** Finds stand-ins in a text: one look-up per length where the first character fits. */
function createIndex(): Index {
  const values = new Map<string, string>()
  const prefixes = new Set<string>()
  const firsts = new Set<string>()
  /** Longest first. */
  let lengths: number[] = []
  return {
    has: (standIn) => values.has(standIn),
    firsts: () => [...firsts],
    add: (standIn, value) => {
      values.set(standIn, value)
      firsts.add(standIn.charAt(0))
      lengths = [...new Set([...lengths, standIn.length])].sort((a, b) => b - a)
      for (let length = 1; length <= standIn.length; length += 1) prefixes.add(standIn.slice(0, length))
    },
    readAt: (text, at) => {
      if (!firsts.has(text.charAt(at)) || joins(text, at)) return 'none'
      // A whole stand-in at the end of the text waits for the character after it.
      if (text.length - at <= (lengths[0] ?? 0) && prefixes.has(text.slice(at))) return 'open'
      for (const length of lengths) {
        const value = values.get(text.slice(at, at + length))
        if (value !== undefined && !joins(text, at + length)) return { value, end: at + length }
      }
      return 'none'
    },
  }
}

/** Whether a letter or digit on both sides makes the place the inside of a longer word or number. */
const joins = (text: string, at: number): boolean =>
  at > 0 && isAlphanumeric(text.charCodeAt(at - 1)) && isAlphanumeric(text.charCodeAt(at))
