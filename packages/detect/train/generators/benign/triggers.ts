import { createRandom, type Random } from '../../rows/random.ts'
import type { Generator, Row } from '../../rows/row.ts'
import { distinct, inTurn } from '../harmless/draw.ts'
import { things } from '../harmless/things.ts'
import { triggerPatterns } from '../harmless/trigger-patterns.ts'
import { surfaceNoise } from '../lines/surface-noise.ts'

/** Words of attacks in harmless use: one to four sentences from daily life, work and technique. */
export const generator: Generator = {
  name: 'benign-triggers',
  seed: 0xb001,
  rows: () => {
    const random = createRandom(0xb001)
    return distinct(2550, (index) => triggerRow(index, random))
  },
}

function triggerRow(index: number, random: Random): Row {
  const sentences = [inTurn(triggerPatterns, index, things, random)]
  while (sentences.length < 4 && random.chance(0.22)) {
    sentences.push(inTurn(triggerPatterns, random.below(triggerPatterns.length), things, random))
  }
  const text = surfaceNoise(sentences.join(random.pick([' ', ' ', '\n', '\n\n', ' And: '])), random)
  return { text, label: 0, kind: 'hard-negative', source: 'gen-benign-triggers', lang: 'en' }
}
