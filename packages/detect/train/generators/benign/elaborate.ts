import { createRandom, type Random } from '../../rows/random.ts'
import type { Generator, Row } from '../../rows/row.ts'
import { documentSentences } from '../harmless/document-sentences.ts'
import { distinct, weave } from '../harmless/draw.ts'
import { elaborateLists, frames, manners, taskPrompts, tasks } from '../harmless/elaborate-parts.ts'
import { things } from '../harmless/things.ts'
import { surfaceNoise } from '../lines/surface-noise.ts'

const lists = { ...things, ...documentSentences, ...elaborateLists }

/** Long, demanding, theatrical requests with a harmless aim: the dress of a jailbreak without one inside. */
export const generator: Generator = {
  name: 'benign-elaborate',
  seed: 0xb008,
  rows: () => {
    const random = createRandom(0xb008)
    return [
      ...distinct(240, (index) => row(staged(index, random), 'roleplay-benign', random)),
      ...distinct(130, (index) => row(taskPrompts[index % taskPrompts.length] ?? '', 'ordinary', random)),
    ]
  },
}

function row(pattern: string, kind: string, random: Random): Row {
  const text = surfaceNoise(weave(pattern, lists, random), random)
  return { text, label: 0, kind, source: 'gen-benign-elaborate', lang: 'en' }
}

function staged(index: number, random: Random): string {
  const opening = random.sample(frames, random.chance(0.2) ? 2 : 1)
  const turned = [frames[index % frames.length] ?? '', ...opening.slice(1)]
  const asked = random.sample(tasks, 1 + random.below(3))
  const wished = random.sample(manners, random.below(6))
  const order = random.chance(0.8) ? [...turned, ...asked, ...wished] : [...asked, ...wished, ...turned]
  return order.join(random.pick([' ', ' ', ' ', '\n', '\n\n']))
}
