import type { Random } from '../../rows/random.ts'
import { createRandom } from '../../rows/random.ts'
import type { Generator, Row } from '../../rows/row.ts'
import { expand } from '../../rows/template.ts'
import { attackWords } from '../lines/attack-words.ts'
import { consents, templateFrames } from '../lines/frames-template.ts'
import { guardedLines } from '../lines/guarded.ts'
import { promptLeakLines, secretLeakLines } from '../lines/leak.ts'
import { overrideLines } from '../lines/override.ts'
import { personaLines } from '../lines/persona.ts'
import { surfaceNoise } from '../lines/surface-noise.ts'

/** Forged chat templates, documents ends, tool results and conversations around an order. */
export const generator: Generator = {
  name: 'template',
  seed: 0x0a16,
  rows: () => {
    const random = createRandom(0x0a16)
    return Array.from({ length: 850 }, (_, index) =>
      forged(templateFrames[index % templateFrames.length] ?? '', random),
    )
  },
}

const orderLists = [
  overrideLines,
  overrideLines,
  promptLeakLines,
  secretLeakLines,
  personaLines,
  guardedLines,
  ['{task}', '{say} "{phrase}"'],
]

function order(random: Random): string {
  const line = expand(random.pick(random.pick(orderLists)), attackWords, random)
  return surfaceNoise(line.charAt(0).toUpperCase() + line.slice(1), random)
}

function forged(frame: string, random: Random): Row {
  const text = frame
    .replaceAll('¤order', () => order(random))
    .replaceAll('¤question', () => expand('{question}', attackWords, random))
    .replaceAll('¤consent', () => random.pick(consents))
    .replaceAll('{n}', () => String(random.below(40)))
  const before = random.chance(0.25) ? `${expand('{question}', attackWords, random)}\n` : ''
  return { text: before + text, label: 1, kind: 'delimiter', source: 'gen-template', lang: 'en' }
}
