import type { Random } from '../../rows/random.ts'
import { createRandom } from '../../rows/random.ts'
import type { Generator, Row } from '../../rows/row.ts'
import { expand } from '../../rows/template.ts'
import { attackWords } from '../lines/attack-words.ts'
import { drawRows } from '../lines/pattern-rows.ts'
import { personaEndings, personaLines, personaOpenings, personaRules } from '../lines/persona.ts'
import { surfaceNoise } from '../lines/surface-noise.ts'

const source = 'gen-persona'

/** Personas, modes, fiction and games without rules; a third are long prompts of 100 to 400 words. */
export const generator: Generator = {
  name: 'persona',
  seed: 0x0a14,
  rows: () => {
    const random = createRandom(0x0a14)
    const group = {
      kind: 'jailbreak-roleplay',
      label: 1,
      patterns: personaLines,
      count: 600,
      join: 3,
      company: 0.12,
    } as const
    return [...drawRows(source, group, random), ...Array.from({ length: 480 }, () => longPersona(random))]
  },
}

/** One name for the whole prompt, since real ones repeat it in every line. */
function longPersona(random: Random): Row {
  const slots = { ...attackWords, persona: [random.pick(attackWords.persona)] }
  const say = (lines: readonly string[]): string => expand(random.pick(lines), slots, random)
  const rules = random.sample(personaRules, 2 + random.below(9)).map((line) => expand(line, slots, random))
  const body = arrange(rules, random)
  const parts = [say(personaOpenings), body, random.chance(0.85) ? say(personaEndings) : '']
  const text = parts.filter((part) => part !== '').join(random.pick([' ', '\n', '\n\n']))
  return { text: surfaceNoise(text, random), label: 1, kind: 'jailbreak-roleplay', source, lang: 'en' }
}

function arrange(rules: readonly string[], random: Random): string {
  const style = random.below(4)
  if (style === 0) return rules.map((rule, index) => `${index + 1}. ${rule}`).join('\n')
  if (style === 1) return rules.map((rule) => `- ${rule}`).join('\n')
  return rules.join(style === 2 ? '\n' : ' ')
}
