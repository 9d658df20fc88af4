/**
 * Puts values back in the place of their placeholders and stand-ins.
 * Promises that a stream gives what the whole text gives and that JSON stays JSON; it never restores what the caller
 * typed, and nothing in the target of a link, which would send the value away. Tested in restore.test.ts and redact.test.ts.
 */
import { isDigit } from '../base/matcher.ts'
import { anchorsOf } from './anchors.ts'
import { openingsOf } from './forms.ts'
import { createLinkState, type LinkState } from './link-state.ts'
import { nameShape } from './placeholder.ts'
import { type Grammar, longestName, type Reading, readAt, terminator, wordContext } from './reading.ts'
import type { Vault } from './vault.ts'

/** The text with every placeholder of this vault replaced by its value, also when a model changed its form. */
export function restore(text: string, vault: Vault): string {
  return restoreReport(text, vault).text
}

/** As `restore`, for text inside a JSON string or a JSON document: values are JSON-escaped, so syntax stays intact. */
export function restoreJson(text: string, vault: Vault): string {
  return restoreReport(text, vault, { json: true }).text
}

export interface RestoreReport {
  readonly text: string
  /** Placeholders that stay as they are because the vault has no value for them, as written, in text order. */
  readonly unknown: readonly string[]
}

/** As `restore`, with the placeholders a model made up. */
export function restoreReport(text: string, vault: Vault, options: RestoreOptions = {}): RestoreReport {
  const stream = createRestoreStream(vault, options)
  const parts = [stream.push(text), stream.end()]
  return { text: parts.join(''), unknown: stream.unknown }
}

export interface RestoreOptions {
  /** The text is JSON or stands inside a JSON string. */
  readonly json?: boolean
}

export interface RestoreStream {
  /** Takes the next piece and gives what can be released: everything up to a placeholder that is still open. */
  push(chunk: string): string
  /** Gives what was held back. */
  end(): string
  /** Input not yet released, unchanged. For callers that continue without a failed stream. */
  held(): string
  /** Placeholders without a value so far, as written. */
  readonly unknown: readonly string[]
  /** How many placeholders and stand-ins so far stayed as they are because they stand in the target of a link. */
  inLinks(): number
  /** How many so far were restored though a model had written them in another form. */
  changed(): number
}

/**
 * Restores a text that arrives in pieces; for every way of cutting it the joined output equals `restore`. At most 64
 * characters are held back (96 in JSON), and only from a place on where one of the vault's placeholders can begin.
 */
export function createRestoreStream(vault: Vault, { json = false }: RestoreOptions = {}): RestoreStream {
  const restorer = restorerOf(vault, json)
  let held = ''
  let context = 0
  const take = (text: string): { done: string; rest: number } => restoreFrom(text, context, restorer)
  const keep = (text: string, rest: number): void => {
    const from = Math.max(0, rest - wordContext)
    held = text.slice(from)
    context = rest - from
  }
  return {
    unknown: restorer.unknown,
    inLinks: () => restorer.inLinks,
    changed: () => restorer.changed,
    push: (chunk) => {
      held += chunk
      const { done, rest } = take(held)
      keep(held, rest)
      return done
    },
    end: () => {
      const { done } = take(held + terminator)
      held = ''
      context = 0
      return done.slice(0, done.length - terminator.length)
    },
    held: () => held.slice(context),
  }
}

interface Restorer {
  readonly vault: Vault
  readonly grammar: Grammar
  /** Where something may begin: every pair's and stand-in's first character, capitals, half a surrogate pair. */
  readonly openings: RegExp
  /** Longest opening of a pair; stand-ins have none, so with them every opening is looked at. */
  readonly longestOpen: number
  readonly encode: (value: string) => string
  readonly unknown: string[]
  readonly link: LinkState
  inLinks: number
  changed: number
}

function restorerOf(vault: Vault, json: boolean): Restorer {
  const forms = json ? vault.forms.json : vault.forms.plain
  const mayBegin = (prefix: string): boolean => vault.beginsName(prefix) || mayBeUnknown(vault, prefix)
  const firsts = vault.synthetics.firsts()
  const hasStandIns = firsts.length > 0
  return {
    vault,
    grammar: { forms, json, mayBegin },
    openings: hasStandIns ? openingsOf([...forms.pairs.keys(), ...firsts]) : forms.openings,
    longestOpen: hasStandIns ? Number.POSITIVE_INFINITY : forms.longestOpen,
    encode: json ? (value) => JSON.stringify(value).slice(1, -1) : (value) => value,
    unknown: [],
    link: createLinkState(json),
    inLinks: 0,
    changed: 0,
  }
}

/** A number that was never given out, of a type that was. */
function mayBeUnknown(vault: Vault, prefix: string): boolean {
  const last = prefix.lastIndexOf('_')
  return last >= 0 && /^[0-9]{1,7}$/.test(prefix.slice(last + 1)) && vault.usesType(prefix.slice(0, last))
}

function restoreFrom(text: string, from: number, restorer: Restorer): { done: string; rest: number } {
  const { openings, longestOpen, link } = restorer
  const anchors = longestOpen < Number.POSITIVE_INFINITY ? anchorsOf(text, longestOpen) : undefined
  const next = (at: number): number => {
    openings.lastIndex = anchors?.next(at) ?? at
    return openings.test(text) ? openings.lastIndex - 1 : -1
  }
  const parts: string[] = []
  let done = from
  let followed = from
  const follow = (to: number): void => {
    link.feed(text.slice(followed, to))
    followed = to
  }
  for (let hit = next(from); hit >= 0; hit = next(Math.max(done, hit + 1))) {
    follow(hit)
    const outcome = restoredAt(text, hit, restorer)
    if (outcome === 'open') {
      parts.push(text.slice(done, hit))
      return { done: parts.join(''), rest: hit }
    }
    if (outcome === 'none') continue
    parts.push(text.slice(done, hit), link.inTarget() ? text.slice(hit, outcome.end) : outcome.value)
    if (link.inTarget()) restorer.inLinks += 1
    done = outcome.end
    follow(done)
  }
  follow(text.length)
  parts.push(text.slice(done))
  return { done: parts.join(''), rest: text.length }
}

type Restored = 'none' | 'open' | { readonly value: string; readonly end: number }

function restoredAt(text: string, at: number, restorer: Restorer): Restored {
  const standIn = restorer.vault.synthetics.readAt(text, at)
  if (standIn !== 'none') {
    return standIn === 'open' ? 'open' : { value: restorer.encode(standIn.value), end: standIn.end }
  }
  const exact = exactAt(text, at, restorer)
  if (exact !== undefined) return exact
  const reading = readAt(text, at, restorer.grammar)
  if (typeof reading === 'object') return restored(text.slice(at, reading.end), reading, restorer)
  if (reading === 'open') return 'open'
  // A surrogate whose partner has not arrived: releasing it alone would become U+FFFD once encoded.
  return at === text.length - 1 && /[\ud800-\udbff]/.test(text.charAt(at)) ? 'open' : 'none'
}

/** A placeholder exactly as given out, as in most answers. */
function exactAt(text: string, at: number, { vault, grammar, encode }: Restorer): Restored | undefined {
  const { own } = grammar.forms
  if (own === undefined || !text.startsWith(own.open, at)) return undefined
  const start = at + own.open.length
  let end = start
  while (end - start < longestName && isNameUnit(text.charCodeAt(end))) end += 1
  if (!text.startsWith(own.close, end)) return undefined
  const value = vault.valueOf(text.slice(start, end))
  return value === undefined ? undefined : { value: encode(value), end: end + own.close.length }
}

const isNameUnit = (code: number): boolean => isDigit(code) || (code >= 65 && code <= 90) || code === 95

function restored(written: string, { name, suffix, end, exact }: Reading, restorer: Restorer): Restored {
  const { vault, encode, unknown } = restorer
  if (!exact && vault.wasTyped(name)) return 'none'
  const value = vault.valueOf(name)
  if (value !== undefined) {
    if (!exact || !written.includes(name)) restorer.changed += 1
    return { value: encode(value) + suffix, end }
  }
  // Known names without a value stay hidden on purpose.
  if (!nameShape.test(name) || vault.beginsName(name) || name.startsWith('OUT_')) return 'none'
  unknown.push(written)
  // Passed over as a whole, so that the bare name inside is not reported again.
  return { value: written, end }
}
