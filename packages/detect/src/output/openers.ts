/**
 * Where in an answer something may begin that a local check finds.
 * Promises that a finding of the chosen checks begins at most `openerReach` characters before the end of an opener of
 * theirs, so that a text without any has none. Tested in openers.test.ts and output-stream.test.ts.
 */
import { createAutomaton } from '../text/automaton/automaton.ts'
import { folded, foldedUnit } from '../text/automaton/word-trie.ts'
import { codeRules } from './checks/code-rules.ts'
import { commandRules } from './checks/command-rules.ts'
import { credentialPathRule, credentialRules } from './checks/credential-rules.ts'
import type { OutputOptions } from './checks/options.ts'
import { installTriggers } from './checks/packages.ts'
import { type OutputCheck, outputChecks } from './checks/rules.ts'
import { triggersOf } from './checks/triggered-rules.ts'

export interface OutputOpeners {
  /** End of the first opener in a text in lower case, or -1. */
  firstEnd(text: string): number
  /** Characters at the end of a text in lower case, without an opener, in which a finding that is yet to come may begin. */
  undecidedEnd(text: string): number
}

/** Literals with which the findings of some rules begin, or that stand before them. */
const starts: Readonly<Partial<Record<OutputCheck, readonly string[]>>> = {
  commands: triggersOf([...commandRules, ...credentialRules]),
  code: triggersOf(codeRules),
  packages: installTriggers,
}
/** Those of the arguments of tools. */
const toolStarts = triggersOf([credentialPathRule])

/** Literals that every other finding begins with, or holds behind at most 16 characters without a blank. */
const marks: Readonly<Partial<Record<OutputCheck, readonly string[]>>> = {
  links: ['[', ']', '<', '://', 'www.', 'url(', '@import'],
  terminal: ['\u001b', '\u0090', '\u009b', '\u009d', '\u009e', '\u009f'],
  'hidden-text': [
    '<',
    ...'\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e',
    ...'\u2060\u2061\u2062\u2063\u2064\u2065\u2066\u2067\u2068\u2069\u206a\u206b\u206c\u206d\u206e\u206f\u3164\ufeff\uffa0',
    ...Array.from({ length: 16 }, (_, i) => String.fromCharCode(0xfe00 + i)),
    '\udb40',
  ],
}
const mostLead = 16

const longestOf = (words: readonly string[]): number => words.reduce((most, { length }) => Math.max(most, length), 0)

/** Longest opener, and the most a finding may begin before the end of one. */
export const openerReach = Math.max(
  longestOf([...Object.values(starts).flat(), ...toolStarts]),
  longestOf(Object.values(marks).flat()) + mostLead,
)

const known = new Map<string, OutputOpeners>()

/** The openers of the checks that the options ask for; those of all answers under one policy are the same. */
export function openersFor({ channel = 'chat', checks = outputChecks }: OutputOptions): OutputOpeners {
  const key = `${channel} ${outputChecks.filter((check) => checks.includes(check)).join(' ')}`
  const made = known.get(key) ?? createOpeners(checks, channel === 'tool_call')
  known.set(key, made)
  return made
}

function createOpeners(checks: readonly OutputCheck[], isTool: boolean): OutputOpeners {
  const chosenStarts = checks.flatMap((check) => starts[check] ?? [])
  if (isTool && checks.includes('commands')) chosenStarts.push(...toolStarts)
  const chosenMarks = checks.flatMap((check) => marks[check] ?? [])
  const search = createAutomaton([...new Set([...chosenStarts, ...chosenMarks])])
  const startBegins = beginningsOf(chosenStarts)
  const markBegins = beginningsOf(chosenMarks)
  const lead = chosenMarks.length === 0 ? () => 0 : leadBefore
  return {
    firstEnd: (text) => {
      let first = -1
      search.scan(text, (_, end) => {
        first = end
        return false
      })
      return first
    },
    undecidedEnd: (text) => {
      const begun = begunAt(text, markBegins)
      return Math.max(begunAt(text, startBegins), begun + lead(text, text.length - begun), lead(text, text.length))
    },
  }
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
