/** The checks that look at one place of a text at a time, put together for the options. */
import { codeRules } from './checks/code-rules.ts'
import { commandRules } from './checks/command-rules.ts'
import { credentialPathRule, credentialRules } from './checks/credential-rules.ts'
import { findComments } from './checks/hidden-html.ts'
import { findHiddenText } from './checks/hidden-text.ts'
import type { LocalCheck } from './checks/local-check.ts'
import type { OutputOptions } from './checks/options.ts'
import { findTyposquats, indexPackages, type PackageIndex } from './checks/packages.ts'
import { popularPackages } from './checks/popular-packages.ts'
import { type OutputCheck, outputChecks } from './checks/rules.ts'
import { findTerminalEscapes } from './checks/terminal.ts'
import { compileRules } from './checks/triggered-rules.ts'
import { findLinks } from './links/links.ts'
import { type Conversation, prepareConversation } from './links/url-payload.ts'

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
