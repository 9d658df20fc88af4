import { createRandom } from '../../rows/random.ts'
import type { Generator } from '../../rows/row.ts'
import { distinct } from '../harmless/draw.ts'
import { personaLongHarmlessParts } from '../lines/persona-long-harmless.ts'
import { longPersonaPrompt } from '../lines/persona-long-writer.ts'

/** Games, lessons and stories with personas, rules, points and phrases to confirm, all of them harmless. */
export const generator: Generator = {
  name: 'benign-persona-long',
  seed: 0xb012,
  rows: () => {
    const random = createRandom(0xb012)
    return distinct(400, () => ({
      text: longPersonaPrompt(personaLongHarmlessParts, random),
      label: 0,
      kind: 'roleplay-benign',
      source: 'gen-benign-persona-long',
      lang: 'en',
    }))
  },
}
