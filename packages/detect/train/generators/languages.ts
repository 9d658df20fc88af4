/** Attacks and harmless texts in other languages, from native sentences (../phrases), alone and mixed with each other. */

import type { Phrases } from '../phrases/phrases.ts'
import { createRandom, type Random } from '../rows/random.ts'
import type { Generator, Row } from '../rows/row.ts'
import { expand } from '../rows/template.ts'
import { allPhrases } from './phrases.ts'

const perLanguage = { attacks: 260, harmless: 300 }

const kinds = {
  override: 'direct-override',
  leak: 'system-prompt-leak',
  jailbreak: 'jailbreak-roleplay',
  indirect: 'indirect',
  other: 'direct-override',
} as const satisfies Record<keyof Phrases['attacks'], string>

const joints = [' ', '. ', '\n', '\n\n', ' ... ', ' - ']

export const generator: Generator = {
  name: 'gen-languages',
  seed: 260,
  rows: () => {
    const random = createRandom(260)
    return allPhrases.flatMap((phrases) => [
      ...Array.from({ length: perLanguage.attacks }, () => attackRow(phrases, random)),
      ...Array.from({ length: perLanguage.harmless }, () => harmlessRow(phrases, random)),
    ])
  },
}

const source = 'gen-languages'

function attackRow({ lang, slots, attacks, benign }: Phrases, random: Random): Row {
  const name = random.pick(Object.keys(kinds) as (keyof typeof kinds)[])
  const say = (templates: readonly string[]): string => expand(random.pick(templates), slots, random)
  const attack = say(attacks[name])
  if (name === 'indirect' || random.chance(0.12))
    return { ...planted(attack, benign.documents, say, random), label: 1, kind: 'indirect', source, lang }
  const shape = random.below(10)
  const joint = random.pick(joints)
  const text =
    shape < 5
      ? attack
      : shape < 7
        ? `${say(benign.ordinary)}${joint}${attack}`
        : shape < 8
          ? `${attack}${joint}${say(benign.ordinary)}`
          : `${attack}${joint}${say(attacks[random.pick(['override', 'leak', 'jailbreak', 'other'] as const)])}`
  return { text, label: 1, kind: kinds[name], source, lang }
}

function planted(
  attack: string,
  documents: readonly string[],
  say: (templates: readonly string[]) => string,
  random: Random,
): Pick<Row, 'text'> & Required<Pick<Row, 'planted'>> {
  const sentences = Array.from({ length: 2 + random.below(8) }, () => say(documents))
  const joint = random.pick([' ', '\n', '\n\n'])
  const place = random.below(sentences.length + 1)
  const before = sentences
    .slice(0, place)
    .map((sentence) => sentence + joint)
    .join('')
  const after = sentences
    .slice(place)
    .map((sentence) => joint + sentence)
    .join('')
  return { text: before + attack + after, planted: [before.length, before.length + attack.length] }
}

function harmlessRow({ lang, slots, benign }: Phrases, random: Random): Row {
  const say = (templates: readonly string[]): string => expand(random.pick(templates), slots, random)
  const shape = random.below(10)
  if (shape < 4) return { text: say(benign.hardNegatives), label: 0, kind: 'hard-negative', source, lang }
  if (shape < 7) return { text: say(benign.ordinary), label: 0, kind: 'ordinary', source, lang }
  if (shape < 8)
    return {
      text: `${say(benign.ordinary)}${random.pick(joints)}${say(benign.hardNegatives)}`,
      label: 0,
      kind: 'hard-negative',
      source,
      lang,
    }
  const sentences = Array.from({ length: 2 + random.below(12) }, () => say(benign.documents))
  if (random.chance(0.4)) sentences.splice(random.below(sentences.length), 0, say(benign.hardNegatives))
  return { text: sentences.join(random.pick([' ', '\n', '\n\n'])), label: 0, kind: 'document', source, lang }
}
