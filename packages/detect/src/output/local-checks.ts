/** The checks that look at one place of a text at a time, put together for the options. */

import { folded, foldedUnit } from '../text/word-trie.ts'
import { codeRules } from './code-rules.ts'
import { commandRules } from './command-rules.ts'
import { credentialPathRule, credentialRules } from './credential-rules.ts'
import { findComments } from './hidden-html.ts'
import { findHiddenText } from './hidden-text.ts'
import { findLinks } from './links.ts'
import type { LocalCheck } from './local-check.ts'
import type { OutputOptions } from './options.ts'
import { findTyposquats, indexPackages, installTriggers, type PackageIndex } from './packages.ts'
import { popularPackages } from './popular-packages.ts'
import { type OutputCheck, outputChecks } from './rules.ts'
import { findTerminalEscapes } from './terminal.ts'
import { compileRules, triggersOf } from './triggered-rules.ts'
import { type Conversation, prepareConversation } from './url-payload.ts'

const chatCommands = compileRules([...commandRules, ...credentialRules])
const toolCommands = compileRules([...commandRules, ...credentialRules, credentialPathRule])
const code = compileRules(codeRules)

/** One check that runs all local checks that the options ask for. */
export function createLocalChecks(options: OutputOptions): LocalCheck {
  const { channel = 'chat', allowedHosts, checks = outputChecks } = options
  const conversation = once(() => prepareConversation(options.conversation, options.knownValues))
  const packages = once(() => (options.popularPackages ? indexPackages(options.popularPackages) : defaultPackages()))
  const all: readonly (readonly [OutputCheck, LocalCheck])[] = [
    ['links', (text, found) => findLinks(text, { allowedHosts, conversation: lazyConversation(conversation) }, found)],
    ['commands', channel === 'chat' ? chatCommands : toolCommands],
    ['code', code],
    ['packages', (text, found) => findTyposquats(text, packages, found)],
    ['terminal', findTerminalEscapes],
    ['hidden-text', (text, found) => findHiddenText(text, channel, found)],
    ['hidden-text', findComments],
  ]
  const chosen = all.filter(([check]) => checks.includes(check)).map(([, check]) => check)
  return (text, found) => {
    for (const check of chosen) check(text, found)
  }
}

/** Literals with which the findings of some rules begin, or that stand before them. */
const starts: readonly string[] = [
  ...triggersOf([...commandRules, ...credentialRules, credentialPathRule, ...codeRules]),
  ...installTriggers,
]

/** Literals that every other finding begins with, or holds behind at most 16 characters without a blank. */
const marks: readonly string[] = [
  ...['[', ']', '<', '://', 'www.', 'url(', '@import', '\u001b', '\u0090', '\u009b', '\u009d', '\u009e', '\u009f'],
  ...'\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e',
  ...'\u2060\u2061\u2062\u2063\u2064\u2065\u2066\u2067\u2068\u2069\u206a\u206b\u206c\u206d\u206e\u206f\u3164\ufeff\uffa0',
  ...Array.from({ length: 16 }, (_, i) => String.fromCharCode(0xfe00 + i)),
  '\udb40',
]
const mostLead = 16

/** A text without any of these has no finding of a local check. */
export const openers: readonly string[] = [...new Set([...starts, ...marks])]

/** Longest opener, and the most a finding may begin before one. */
export const openerReach = openers.reduce((most, { length }) => Math.max(most, length), mostLead)

const startBegins = beginningsOf(starts)
const markBegins = beginningsOf(marks)

/** Characters at the end of a text in lower case, without an opener, in which a finding that is yet to come may begin. */
export function undecidedEnd(text: string): number {
  const begun = begunAt(text, markBegins)
  return Math.max(
    begunAt(text, startBegins),
    begun + leadBefore(text, text.length - begun),
    leadBefore(text, text.length),
  )
}

/** Length of the longest end of a text that is the beginning of a word. */
function begunAt(text: string, begins: Beginnings): number {
  for (let at = Math.max(0, text.length - openerReach); at < text.length; at += 1) {
    if (goesToTheEnd(text, at, begins)) return text.length - at
  }
  return 0
}

function goesToTheEnd(text: string, from: number, begins: Beginnings): boolean {
  let node: Beginnings | undefined = begins
  for (let at = from; at < text.length; at += 1) {
    node = node.get(foldedUnit(text.charCodeAt(at)))
    if (node === undefined) return false
  }
  return true
}

/** Beginnings of words, by their next unit: most places of a text are given up at their first one. */
interface Beginnings extends Map<number, Beginnings> {}

function beginningsOf(words: readonly string[]): Beginnings {
  const root: Beginnings = new Map()
  for (const word of words.map(folded)) {
    let node = root
    // A whole word is no beginning of one.
    for (let at = 0; at < word.length - 1; at += 1) {
      const code = word.charCodeAt(at)
      const next: Beginnings = node.get(code) ?? new Map()
      node.set(code, next)
      node = next
    }
  }
  return root
}

function leadBefore(text: string, end: number): number {
  let lead = 0
  while (lead < mostLead && !(text.charCodeAt(end - lead - 1) <= 32) && lead < end) lead += 1
  return lead
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Hashed only when the first link off the list is met. */
const lazyConversation = (conversation: () => Conversation): Conversation => ({
  get text() {
    return conversation().text
  },
  get grams() {
    return conversation().grams
  },
  isKnown: (value) => conversation().isKnown(value),
})

const defaultPackages: () => PackageIndex = once(() => indexPackages(popularPackages))
