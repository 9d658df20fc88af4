import { encoders } from '../../rows/encode.ts'
import { createRandom, type Random } from '../../rows/random.ts'
import type { Generator, Row } from '../../rows/row.ts'
import { expand } from '../../rows/template.ts'
import { blob } from '../harmless/blobs.ts'
import { chatPatterns } from '../harmless/chat-patterns.ts'
import { cipherQuestions, decorated, encodedFrames, encodingNames } from '../harmless/cipher-patterns.ts'
import { documentSentences } from '../harmless/document-sentences.ts'
import { distinct, inTurn, weave } from '../harmless/draw.ts'
import { things } from '../harmless/things.ts'
import { triggerPatterns } from '../harmless/trigger-patterns.ts'
import { surfaceNoise } from '../lines/surface-noise.ts'

const lists = { ...things, ...documentSentences }
const encodings = Object.entries(encoders)

/** Harmless sentences in every encoding, machine text that only looks encoded, and talk about codes. */
export const generator: Generator = {
  name: 'benign-encoded',
  seed: 0xb007,
  rows: () => {
    const random = createRandom(0xb007)
    return [
      ...distinct(900, (index) => encodedRow(index, random)),
      ...distinct(200, () => row(blob(random), 'blob')),
      ...distinct(90, (index) => row(surfaceNoise(inTurn(cipherQuestions, index, things, random), random))),
      ...distinct(110, (index) => row(inTurn(decorated, index, things, random), 'decorated')),
    ]
  },
}

function row(text: string, enc?: string): Row {
  const base = { text, label: 0, kind: 'obfuscated-benign', source: 'gen-benign-encoded', lang: 'en' } as const
  return enc === undefined ? base : { ...base, enc }
}

function encodedRow(index: number, random: Random): Row {
  const chosen = encodings[index % encodings.length]
  if (chosen === undefined) return row('')
  const [enc, encode] = chosen
  const sentence = harmless(random)
  const encoded = random.chance(0.15) ? partly(sentence, encode, random) : encode(sentence, random)
  const frame = random.pick(encodedFrames).replace('«enc»', random.pick([...encodingNames, enc]))
  return row(
    frame
      .split('«x»')
      .map((part) => weave(part, lists, random))
      .join(encoded),
    enc,
  )
}

/** Only one stretch of the sentence is encoded. */
function partly(sentence: string, encode: (text: string, random: Random) => string, random: Random): string {
  const words = sentence.split(' ')
  const from = random.below(words.length)
  const to = from + 1 + random.below(4)
  return [...words.slice(0, from), encode(words.slice(from, to).join(' '), random), ...words.slice(to)].join(' ')
}

function harmless(random: Random): string {
  const form = random.below(4)
  if (form === 0) return inTurn(triggerPatterns, random.below(triggerPatterns.length), things, random)
  if (form === 1) return expand(random.pick(chatPatterns), things, random)
  const register = random.pick(['line', 'manual', 'speech', 'review', 'legal'])
  return weave(form === 2 ? `«${register}»` : `«${register}» «line»`, lists, random)
}
