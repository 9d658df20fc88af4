/**
 * How much of a rule's weight its surroundings leave: text that mentions, quotes, asks about or forbids an attack is
 * not one. Promises a bounded look around the hit; never erases a hit in text that speaks to nobody (documents, tool
 * results and descriptions, memory), where an order is suspect however it is dressed. Tested in guards.test.ts.
 */
import type { Channel } from '../../base/finding.ts'
import { continuesWord } from './letters.ts'

export interface Place {
  /** Normalized text. */
  readonly text: string
  readonly start: number
  readonly end: number
}

const lookBefore = 80
const lookAfter = 64

/** Share of a guarded rule's weight that is left, 0.3..1. */
export function guardFactor(place: Place, channel: Channel): number {
  const before = sentenceBefore(place)
  const after = place.text.slice(place.end, place.end + lookAfter)
  const negation = isNegated(before) ? 0.4 : 1
  const thing = namesObject.test(after) ? 0.5 : 1
  if (unaddressed.has(channel)) return Math.max(0.6, negation * thing)
  return Math.max(0.3, negation * thing * mentionFactor(place, before, after))
}

const unaddressed: ReadonlySet<Channel> = new Set(['document', 'tool_result', 'tool_description', 'memory'])

function mentionFactor(place: Place, before: string, after: string): number {
  const quoted = isQuoted(place)
  const spoken = asks.test(before) || reports.test(before) || introduces.test(before) || explained.test(after)
  if (quoted && (spoken || asksAnywhere.test(after))) return 0.3
  return spoken ? 0.5 : quoted ? 0.75 : 1
}

/** The text before the hit in its sentence; a question asked earlier says nothing about a later order. */
function sentenceBefore({ text, start }: Place): string {
  // A stop just before an opening quote belongs to the introduction, for example: what does it mean? "ignore …".
  let from = Math.max(0, start - 3)
  while (from > 0 && start - from < lookBefore && !'.!?\n\u3002'.includes(text[from - 1] ?? ' ')) from -= 1
  return text.slice(from, start)
}

const negations =
  /(?:^|[ '"(])(?:not|never|n't|don't|doesn't|won't|cannot|can't|without|avoid|refuses? to|must not|nicht|niemals|jamais|nunca|non|niet|inte|nie|не|никогда) (?:ever |to |be |simply |just )?$/

const isNegated = (before: string): boolean => negations.test(before.slice(-24))

const asks =
  /(?:^|[ ("'])(?:what (?:does|do|is meant|happens|exactly)|meaning of|mean(?:s|t)? by|explain(?:s|ed)? (?:why|what|how|the)|how (?:do|does|can|could|should|to|would) [a-z]{1,12}|why (?:do|does|is|are|would|did)|is it (?:safe|ok|possible|legal|bad)|definition of|difference between|(?:detect|prevent|block|defend|recogni[sz]e|filter|mitigate|classify|flag|report|catch)(?:s|ed|ing|ion)?)[ :]/

// A text about attackers reports their actions; an attacker speaks to the model.
const reports =
  /(?:^|[ ("'])(?:attackers?|adversar(?:y|ies)|hackers?|owasp|red[ -]team(?:er)?s?|researchers?|vulnerabilit(?:y|ies)|exploits?|prompt injections?|jailbreaks?|threat actors?|malicious (?:users?|prompts?|actors?|inputs?))[ ,:'s]/

const introduces =
  /(?:phrase|sentence|string|words?|prompt|attack|text|token|message|attempt|input|command|line|instruction|request|example|title)s?(?: (?:like|such as|saying|that (?:says?|reads?|contains?)|called|is|was|are))?[ :,]{0,2}["'`\u201c\u2018\u00ab(]{1,3}$|(?:such as|for example|e\.g\.|examples? of|called|titled|named|reads|containing|contains|prompt injections?|jailbreaks?|attack(?:er)?s?|red team(?:ing)?)[ :,]{0,2}["'`\u201c\u2018\u00ab(]{0,3}$/

const explained =
  /^["'`\u201d\u2019\u00bb)]{0,2}[ ,]{0,2}(?:means?\b|is (?:a|an|the) (?:[a-z]{1,14} ){0,2}(?:attack|injection|jailbreak|technique|example|phrase|threat|risk)|(?:attacks?|injections?|attempts?|jailbreaks?|leaks?|leakage|detection|prevention)\b)/

const asksAnywhere = /[?\u061f\uff1f]|mean|attack|inject/

// "The instruction set", "the system prompt field", "ignore the above warning": things of a program or a desk.
const namesObject =
  /^s?[ _-](?:sets?|caches?|manuals?|counters?|pointers?|sheets?|files?|engines?|fields?|variables?|parameters?|columns?|propert(?:y|ies)|keys?|class(?:es)?|functions?|tests?|config|tables?|errors?|warnings?|lines?|e-?mails?|invoices?|notices?|comments?|figures?|charts?|logs?|commits?|versions?|rows?|cells?|entr(?:y|ies)|booklets?|leaflets?|videos?|engineering|engineers?|designs?|librar(?:y|ies)|management|templates?)(?![a-z])/

const closing: Readonly<Record<string, string>> = {
  '"': '"',
  '`': '`',
  "'": "'",
  '\u201c': '\u201d',
  '\u201e': '\u201c',
  '\u2018': '\u2019',
  '\u00ab': '\u00bb',
  '\u300c': '\u300d',
  '\u300e': '\u300f',
}

/** Between a quotation mark and its partner, both near. A mark that closes an earlier quotation opens none. */
function isQuoted({ text, start, end }: Place): boolean {
  for (let i = start - 1; i >= 0 && i >= start - 32 && text[i] !== '\n'; i -= 1) {
    const partner = closing[text[i] ?? '']
    if (!partner) continue
    const inWord = i > 0 && continuesWord(text.charCodeAt(i - 1))
    if (inWord && text[i] === "'") continue
    return !inWord && text[i + 1] !== ' ' && closesAfter(text, end, partner)
  }
  return false
}

function closesAfter(text: string, end: number, mark: string): boolean {
  for (let i = end; i < text.length && i < end + lookAfter; i += 1)
    if (text[i] === mark && (i + 1 === text.length || !continuesWord(text.charCodeAt(i + 1)))) return true
  return false
}
