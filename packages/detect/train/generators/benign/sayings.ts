import { createRandom, type Random } from '../../rows/random.ts'
import type { Generator, Row } from '../../rows/row.ts'
import { sayings } from '../sayings/all.ts'

const joints = [' ', ' ', '\n', '\n\n', ' – ', ' / ']

/** Short prose in many languages that asks nobody for anything: every line once, and pairs of lines. */
export const generator: Generator = {
  name: 'benign-sayings',
  seed: 0xb011,
  rows: () => {
    const random = createRandom(0xb011)
    return Object.entries(sayings).flatMap(([lang, all]) => {
      const texts = new Set([...all, ...pairs(all, random)])
      return [...texts].map((text) => row(text, lang))
    })
  },
}

function row(text: string, lang: string): Row {
  return { text, label: 0, kind: 'ordinary', source: 'gen-benign-sayings', lang }
}

/** Two of five as many pairs as there are lines. */
function pairs(all: readonly string[], random: Random): string[] {
  return Array.from({ length: Math.round(all.length * 0.4) }, () => {
    const [first = '', second = ''] = random.sample(all, 2)
    return `${first}${random.pick(joints)}${second}`
  })
}
