import { createRandom, type Random } from '../../rows/random.ts'
import type { Generator, Row } from '../../rows/row.ts'
import { carrier, plant } from '../carriers/carriers.ts'
import { documentPieces } from '../harmless/document-pieces.ts'
import { documentSentences, paragraphs } from '../harmless/document-sentences.ts'
import { distinct, weave } from '../harmless/draw.ts'
import { things } from '../harmless/things.ts'

const lists = { ...things, ...documentSentences, ...paragraphs }

/** Documents without any order to a model, from notes of a few lines to reports of some thousand characters. */
export const generator: Generator = {
  name: 'benign-documents',
  seed: 0xb005,
  rows: () => {
    const random = createRandom(0xb005)
    return [
      ...distinct(650, () => row(carried(random))),
      ...distinct(700, (index) => row(written(index, random))),
      ...distinct(280, (index) => row(long(index, random))),
    ]
  },
}

/** Documents that describe attacks are hard negatives. */
function row(text: string): Row {
  const aboutAttacks = /ignore all previous|ignore the above|prompt injection|jailbreak|you are DAN|attacker/i.test(
    text,
  )
  const kind = aboutAttacks ? 'hard-negative' : text.length > 2000 ? 'long-document' : 'document'
  return { text, label: 0, kind, source: 'gen-benign-documents', lang: 'en' }
}

/** The attack generators' carriers, empty or with a sentence for human readers at the place of an attack. */
function carried(random: Random): string {
  const document = carrier(random)
  if (random.chance(0.5)) return document.text
  const register = random.pick(['line', 'manual', 'legal', 'security', 'speech', 'review'])
  const sentence = weave(`«${register}»`, lists, random)
  return plant(document, sentence, random.below(document.slots.length)).text
}

function written(index: number, random: Random): string {
  return weave(documentPieces[index % documentPieces.length] ?? '', lists, random)
}

/** A document grown by paragraphs of one or two registers, up to about 8,000 characters. */
function long(index: number, random: Random): string {
  const registers = random.sample(
    ['para', 'para', 'devpara', 'devpara', 'manpara', 'legalpara', 'secpara', 'speech', 'review'],
    1 + random.below(2),
  )
  const more = Array.from({ length: 4 + random.below(30) }, (_, i) => {
    const heading = i % 5 === 0 && random.chance(0.6) ? `${random.pick(['## ', '', `${i + 1}. `])}«title»\n` : ''
    return `${heading}«${random.pick(registers)}»`
  })
  return `${written(index, random)}\n\n${weave(more.join('\n\n'), lists, random)}`.slice(0, 8000)
}
