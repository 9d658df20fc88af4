import { createRandom, type Random } from '../../rows/random.ts'
import type { Generator, Row } from '../../rows/row.ts'
import { expand } from '../../rows/template.ts'
import { distinct, inTurn } from '../harmless/draw.ts'
import { formalPatterns, instructPatterns, instructSlots, toolHeads, toolLines } from '../harmless/instruct-patterns.ts'
import { things } from '../harmless/things.ts'
import { surfaceNoise } from '../lines/surface-noise.ts'

const slots = { ...things, ...instructSlots }

/** Plain tasks with an input, tasks for tools, and formal prose: the middle of what models are given. */
export const generator: Generator = {
  name: 'benign-instruct',
  seed: 0xb00a,
  rows: () => {
    const random = createRandom(0xb00a)
    return [
      ...distinct(2600, (index) => row(task(index, random), 'ordinary')),
      ...distinct(300, () => row(withTools(random), 'tool-prompt')),
      ...distinct(300, (index) => row(formal(index, random), 'document')),
    ]
  },
}

function row(text: string, kind: string): Row {
  return { text, label: 0, kind, source: 'gen-benign-instruct', lang: 'en' }
}

function task(index: number, random: Random): string {
  const asked = inTurn(instructPatterns, index, slots, random)
  const form = random.below(5)
  if (form < 2) return surfaceNoise(asked, random)
  const input =
    form === 2
      ? '{sentence}'
      : form === 3
        ? '{input}'
        : random.pick(['{sentence} {sentence}', '{food}, {animal}, {thing}'])
  const label = random.pick(['', '', '', 'Input: ', '\nInput:\n', 'Text: ', '\n"""\n'])
  return surfaceNoise(`${asked}\n${label}${expand(input, slots, random)}`, random)
}

function withTools(random: Random): string {
  const tools = random.sample(toolLines, 1 + random.below(5)).map((line) => `${random.pick(['- ', '', '* '])}${line}`)
  const head = random.pick(toolHeads)
  const asked = expand(random.pick(instructPatterns), slots, random)
  return `${head}\n${tools.map((line) => expand(line, slots, random)).join('\n')}\n${random.pick(['', '\n', 'User: ', 'Task: '])}${asked}`
}

function formal(index: number, random: Random): string {
  const sentences = [inTurn(formalPatterns, index, slots, random)]
  while (sentences.length < 9 && random.chance(0.65)) sentences.push(expand(random.pick(formalPatterns), slots, random))
  return sentences.join(random.pick([' ', ' ', '\n', '\n\n']))
}
