import type { Channel } from '../finding.ts'
import type { RuleHit } from './pack.ts'

const questions =
  /\b(?:what (?:does|do|is meant|happens)|meaning of|mean(?:s|t)? by|explain(?:s|ed)? (?:why|what|how)|how (?:do i|do we|does|can i|can we|to) (?:detect|prevent|block|defend|stop|recogni[sz]e|protect|filter|mitigate|classify|avoid)|why (?:do|does|is|are|would)|(?:the|a) (?:phrase|sentence|string|words?|prompt|attack|text|token|message)s?|such as|for example|e\.g\.|examples? of|called|like|(?:says?|said|saying|reads?|contains?|containing|titled|about)|prompt injections?|attacks?|attackers?|jailbreaks?) ?[:,]? ?["'`“‘«(]{0,3}$/
const mentions =
  /\b(?:what does|meaning of|what is meant by|prompt injection|injection attack|jailbreak (?:attempt|attack)s?|(?:detect|prevent|block|defend against|recogni[sz]e)(?:s|ing)? (?:prompts|messages|inputs|attacks|injection))\b/
const negated =
  /\b(?:not|never|n't|cannot|without|avoid|refuse(?:s|d)? to|must not|nicht|niemals|jamais|nunca|non|не|никогда) (?:ever |to |be )?$/
const quotes = /["'`“”‘’«»]/

/** Share of a rule's weight that its surroundings leave, 0..1. */
export function guardFactor(text: string, { start, end, rule }: RuleHit, channel: Channel): number {
  if (!rule.guarded) return 1
  const before = text.slice(Math.max(0, start - 80), start)
  // Documents and tool results speak to nobody: an order in them is suspect however it is dressed.
  const trusted = channel !== 'document' && channel !== 'tool_result' && channel !== 'tool_description'
  const negation = negated.test(before.slice(-24)) ? 0.35 : 1
  if (!trusted) return negation
  const quoted = quotes.test(before.slice(-2)) && quotes.test(text.slice(end, end + 24))
  const spoken = questions.test(before) || mentions.test(before)
  return negation * (quoted && spoken ? 0.4 : spoken ? 0.5 : quoted ? 0.75 : 1)
}

/** System prompts and answers speak of rules in good faith more often than callers do. */
export const channelFactor = (channel: Channel): number =>
  channel === 'system' || channel === 'model_output' ? 0.6 : 1
