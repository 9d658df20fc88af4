import { createRandom, type Random } from '../../rows/random.ts'
import type { Generator, Row } from '../../rows/row.ts'
import { expand } from '../../rows/template.ts'
import { chatPatterns } from '../harmless/chat-patterns.ts'
import { chatPieces } from '../harmless/chat-pieces.ts'
import { documentSentences, paragraphs } from '../harmless/document-sentences.ts'
import { distinct, weave } from '../harmless/draw.ts'
import { things } from '../harmless/things.ts'
import { surfaceNoise } from '../lines/surface-noise.ts'

const lists = { ...things, ...documentSentences, ...paragraphs }

const pasteRequests = [
  'Summarize this:',
  'Translate the following text into «natlang»:',
  'tl;dr',
  'Please proofread. Do not change the meaning.',
  'What is the main point?',
  'Rewrite for a ten-year-old:',
  'Make it sound more formal:',
  'Make bullet points out of this text',
  'Turn this into an email to «name»:',
  'Which claims need a source?',
  'Shorten to half its length, ignore the names:',
  'give me «num» quiz questions on this',
  'Is the tone ok?',
  'Extract all dates and names. Output only JSON.',
  'Continue the text in the same style.',
  'Find a title for this text.',
  'Correct spelling only, leave everything else as it is.',
  'Reply to this message politely:',
  'Explain the following like I am new here:',
]

/** Requests to assistants: short and long messages, follow-ups, pasted texts, several questions at once. */
export const generator: Generator = {
  name: 'benign-chat',
  seed: 0xb002,
  rows: () => {
    const random = createRandom(0xb002)
    return [
      ...distinct(1900, (index) => row(shortMessage(index, random))),
      ...distinct(350, (index) => row(weave(chatPieces[index % chatPieces.length] ?? '', things, random))),
      ...distinct(300, () => row(pasted(random))),
    ]
  },
}

function row(text: string): Row {
  return { text, label: 0, kind: 'ordinary', source: 'gen-benign-chat', lang: 'en' }
}

function shortMessage(index: number, random: Random): string {
  const asked = [pattern(index, random)]
  while (asked.length < 5 && random.chance(0.18)) asked.push(pattern(random.below(chatPatterns.length), random))
  const numbered = asked.length > 1 && random.chance(0.3)
  const parts = numbered ? asked.map((each, i) => `${i + 1}. ${each}`) : asked
  return surfaceNoise(parts.join(numbered ? '\n' : random.pick([' ', '\n', '\n\n', ' also ', ' PS: '])), random)
}

function pattern(index: number, random: Random): string {
  return expand(chatPatterns[index % chatPatterns.length] ?? '', things, random)
}

function pasted(random: Random): string {
  const request = random.pick(pasteRequests)
  const register = random.pick(['para', 'para', 'secpara', 'legalpara', 'manpara', 'devpara', 'review', 'speech'])
  const text = Array.from({ length: 1 + random.below(4) }, () => `«${register}»`).join(random.pick(['\n', ' ', '\n\n']))
  const fence = random.pick(['', '', '"""', '---', '"', '```', "'''", '=====', '<text>', '[BEGIN]'])
  const close = fence === '<text>' ? '</text>' : fence === '[BEGIN]' ? '[END]' : fence
  const block = fence.length > 1 ? `${fence}\n${text}\n${close}` : fence + text + close
  const whole = random.chance(0.75) ? `${request}\n\n${block}` : `${block}\n\n${request}`
  return weave(whole, lists, random)
}
