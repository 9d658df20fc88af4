import { createRandom, type Random } from '../../rows/random.ts'
import type { Generator, Row } from '../../rows/row.ts'
import { personaRoles, personaRules, personaStarts } from '../harmless/chat-pieces.ts'
import { distinct, inTurn, weave } from '../harmless/draw.ts'
import { professionalPatterns, professionalSlots } from '../harmless/professional-parts.ts'
import { things } from '../harmless/things.ts'
import { surfaceNoise } from '../lines/surface-noise.ts'

/** Personas, games and interactive stories with their rules, as users set them up for fun or for learning. */
export const generator: Generator = {
  name: 'benign-roleplay',
  seed: 0xb003,
  rows: () => {
    const random = createRandom(0xb003)
    return [
      ...distinct(260, (index) => row(persona(index, random), random)),
      ...distinct(500, (index) => row(inTurn(professionalPatterns, index, professionalSlots, random), random)),
    ]
  },
}

function row(text: string, random: Random): Row {
  return {
    text: surfaceNoise(text, random),
    label: 0,
    kind: 'roleplay-benign',
    source: 'gen-benign-roleplay',
    lang: 'en',
  }
}

function persona(index: number, random: Random): string {
  const role = personaRoles[index % personaRoles.length] ?? ''
  const rules = random.sample(personaRules, random.below(9))
  const start = random.pick(personaStarts)
  const name = random.chance(0.3) ? 'Your name is «name», you live in «city» and you love «food».' : ''
  const listed = rules.length > 2 && random.chance(0.4)
  const body = listed ? `\nRules:\n${rules.map((rule, i) => `${i + 1}. ${rule}`).join('\n')}\n` : rules.join(' ')
  return weave([role, name, body, start].filter((part) => part !== '').join(listed ? '\n' : ' '), things, random)
}
