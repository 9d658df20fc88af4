/** The checks that look at one place of a text at a time, put together for the options. */

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

/** Literals one of which every finding of a local check begins with, or has within 16 characters of its start. */
export const openers: readonly string[] = [
  ...new Set([
    ...triggersOf([...commandRules, ...credentialRules, credentialPathRule, ...codeRules]),
    ...installTriggers,
    ...['[', ']', '<', '://', 'www.', 'url(', '@import', '\u001b', '\u0090', '\u009b', '\u009d', '\u009e', '\u009f'],
    ...'\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e',
    ...'\u2060\u2061\u2062\u2063\u2064\u2065\u2066\u2067\u2068\u2069\u206a\u206b\u206c\u206d\u206e\u206f\u3164\ufeff\uffa0',
    ...Array.from({ length: 16 }, (_, i) => String.fromCharCode(0xfe00 + i)),
    '\udb40',
  ]),
]

/** Longest opener, and the most a finding may begin before one. */
export const openerReach = openers.reduce((most, { length }) => Math.max(most, length), 16)

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
