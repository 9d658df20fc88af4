import { createRandom, type Random } from '../../rows/random.ts'
import type { Generator, Row } from '../../rows/row.ts'
import { distinct, weave } from '../harmless/draw.ts'
import { systemLists, systemOpenings, systemRules, systemTails, toolPieces } from '../harmless/system-pieces.ts'
import { things } from '../harmless/things.ts'

const lists = { ...things, ...systemLists }

/** System prompts of honest products, tool descriptions, tool results, few-shot templates and rubrics. */
export const generator: Generator = {
  name: 'benign-system',
  seed: 0xb004,
  rows: () => {
    const random = createRandom(0xb004)
    return [
      ...distinct(430, (index) => row(systemPrompt(index, random))),
      ...distinct(300, (index) => row(weave(toolPieces[index % toolPieces.length] ?? '', lists, random))),
    ]
  },
}

function row(text: string): Row {
  return { text, label: 0, kind: 'tool-prompt', source: 'gen-benign-system', lang: 'en' }
}

function systemPrompt(index: number, random: Random): string {
  const opening = systemOpenings[index % systemOpenings.length] ?? ''
  const rules = random.sample(systemRules, 1 + random.below(13))
  const bullet = random.pick(['- ', '* ', '• ', '', '', '#'])
  const listed = bullet === '#' ? rules.map((rule, i) => `${i + 1}. ${rule}`) : rules.map((rule) => bullet + rule)
  const heading = random.pick(['', '\nRules:', '\n## Guidelines', '\nInstructions:', '\nIMPORTANT:', '\n# Constraints'])
  const body = listed.join(bullet === '' ? ' ' : '\n')
  const tail = random.pick(systemTails)
  return weave([opening, heading, body, tail].filter((part) => part !== '').join('\n'), lists, random)
}
