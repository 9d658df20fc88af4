/** The checks that look at one place of a text at a time, put together for the options. */
import { codeRules } from './code-rules.ts'
import { commandRules } from './command-rules.ts'
import { credentialPathRule, credentialRules } from './credential-rules.ts'
import { findComments } from './hidden-html.ts'
import { findHiddenText } from './hidden-text.ts'
import { findLinks } from './links.ts'
import type { LocalCheck } from './local-check.ts'
import type { OutputOptions } from './options.ts'
import { findTyposquats, indexPackages, type PackageIndex } from './packages.ts'
import { popularPackages } from './popular-packages.ts'
import { type OutputCheck, outputChecks } from './rules.ts'
import { findTerminalEscapes } from './terminal.ts'
import { compileRules } from './triggered-rules.ts'
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
