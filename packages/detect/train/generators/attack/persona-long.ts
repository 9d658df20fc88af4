import { createRandom } from '../../rows/random.ts'
import type { Generator } from '../../rows/row.ts'
import { distinct } from '../harmless/draw.ts'
import { personaLongParts } from '../lines/persona-long.ts'
import { longPersonaPrompt } from '../lines/persona-long-writer.ts'

/** Persona jailbreaks as forums hand them around: back story, rules, two answers, points, a phrase to confirm. */
export const generator: Generator = {
  name: 'persona-long',
  seed: 0x0a21,
  rows: () => {
    const random = createRandom(0x0a21)
    return distinct(400, () => ({
      text: longPersonaPrompt(personaLongParts, random),
      label: 1,
      kind: 'jailbreak-roleplay',
      source: 'gen-persona-long',
      lang: 'en',
    }))
  },
}
