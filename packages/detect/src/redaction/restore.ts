import { type BracketPair, jsonPairs } from './placeholder.ts'
import type { Vault } from './vault.ts'

/** The text with every placeholder of this vault replaced by its value, also when a model changed case or brackets. */
export function restore(text: string, vault: Vault): string {
  return restoreFrom(text, plainRestorer(vault), true).text
}

/** As `restore`, for text inside a JSON string or a JSON document: values are JSON-escaped, so syntax stays intact. */
export function restoreJson(text: string, vault: Vault): string {
  return restoreFrom(text, jsonRestorer(vault), true).text
}

export interface RestoreStream {
  /** Takes the next piece and gives what can be released: everything up to a placeholder that is still open. */
  push(chunk: string): string
  /** Gives what was held back. */
  end(): string
}

/**
 * Restores a text that arrives in pieces; for every way of cutting it the joined output equals `restore`. At most 40
 * characters are held back (50 in JSON, where a bracket may be escaped), and only from an opening bracket on.
 */
export function createRestoreStream(vault: Vault, { json = false }: { json?: boolean } = {}): RestoreStream {
  const restorer = json ? jsonRestorer(vault) : plainRestorer(vault)
  let held = ''
  return {
    push: (chunk) => {
      const { text, rest } = restoreFrom(held + chunk, restorer, false)
      held = rest
      return text
    },
    end: () => {
      const { text } = restoreFrom(held, restorer, true)
      held = ''
      return text
    },
  }
}

interface Restorer {
  readonly vault: Vault
  readonly pairs: readonly BracketPair[]
  /** Where a placeholder may begin; every pair's first character. */
  readonly openings: RegExp
  readonly encode: (value: string) => string
}

const plainRestorer = (vault: Vault): Restorer => restorerOf(vault, vault.pairs, (value) => value)

const jsonRestorer = (vault: Vault): Restorer =>
  restorerOf(vault, jsonPairs(vault.pairs), (value) => JSON.stringify(value).slice(1, -1))

function restorerOf(vault: Vault, pairs: readonly BracketPair[], encode: (value: string) => string): Restorer {
  const firsts = [...new Set(pairs.map(({ open }) => open.charAt(0)))]
  const hex = firsts.map((first) => `\\u${first.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return { vault, pairs, openings: new RegExp(`[${hex.join('')}\\ud800-\\udbff]`, 'g'), encode }
}

function restoreFrom(text: string, restorer: Restorer, complete: boolean): { text: string; rest: string } {
  const { openings } = restorer
  const parts: string[] = []
  let done = 0
  openings.lastIndex = 0
  for (let hit = openings.exec(text); hit; hit = openings.exec(text)) {
    const outcome = restorer.pairs.map((pair) => readPlaceholder(text, hit.index, { pair, restorer }))
    const match = outcome.find((read) => typeof read === 'object')
    if (typeof match === 'object') {
      parts.push(text.slice(done, hit.index), match.value)
      done = match.end
      openings.lastIndex = done
    } else if (!complete && (outcome.includes('open') || isCutPair(text, hit.index))) {
      parts.push(text.slice(done, hit.index))
      return { text: parts.join(''), rest: text.slice(hit.index) }
    }
  }
  parts.push(text.slice(done))
  return { text: parts.join(''), rest: '' }
}

/** A surrogate whose partner has not arrived: releasing it alone would become U+FFFD once encoded. */
const isCutPair = (text: string, at: number): boolean =>
  at === text.length - 1 && /[\ud800-\udbff]/.test(text[at] ?? '')

type Reading = 'none' | 'open' | { readonly value: string; readonly end: number }

const longestName = 35

function readPlaceholder(
  text: string,
  at: number,
  { pair, restorer }: { pair: BracketPair; restorer: Restorer },
): Reading {
  const opened = literalAt(text, at, pair.open)
  if (opened !== 'whole') return opened === 'cut' ? 'open' : 'none'
  const from = at + pair.open.length
  let end = from
  while (end - from < longestName && /\w/.test(text[end] ?? '')) end += 1
  if (end === text.length && end - from < longestName) return 'open'
  const closed = literalAt(text, end, pair.close)
  if (closed !== 'whole') return closed === 'cut' ? 'open' : 'none'
  const value = restorer.vault.valueOf(text.slice(from, end))
  const whole = end + pair.close.length
  if (value === undefined || (!pair.exact && restorer.vault.wasTyped(text.slice(at, whole)))) return 'none'
  return { value: restorer.encode(value), end: whole }
}

function literalAt(text: string, at: number, literal: string): 'whole' | 'cut' | 'none' {
  if (text.startsWith(literal, at)) return 'whole'
  const rest = text.slice(at, at + literal.length)
  return at + rest.length === text.length && literal.startsWith(rest) ? 'cut' : 'none'
}
