import { createRandom, type Random } from '../../rows/random.ts'
import type { Generator } from '../../rows/row.ts'
import { codeLists, codePieces, codeQuestions } from '../harmless/code-pieces.ts'
import { distinct, weave } from '../harmless/draw.ts'
import { plainCodePieces } from '../harmless/more-code-pieces.ts'
import { things } from '../harmless/things.ts'

const allPieces = [...codePieces, ...plainCodePieces]
const lists = { ...things, ...codeLists }

/** Code, configuration and terminal sessions, alone, several together, fenced, or with a question around them. */
export const generator: Generator = {
  name: 'benign-code',
  seed: 0xb006,
  rows: () => {
    const random = createRandom(0xb006)
    return distinct(800, (index) => ({
      text: weave(arranged(index, random), lists, random),
      label: 0,
      kind: 'code',
      source: 'gen-benign-code',
      lang: 'en',
    }))
  },
}

function arranged(index: number, random: Random): string {
  const code = [allPieces[index % allPieces.length] ?? '']
  while (code.length < 4 && random.chance(0.2)) code.push(random.pick(allPieces))
  const text = code.join('\n\n')
  const form = random.below(5)
  if (form < 2) return text
  const fenced = form === 4 ? text : `\`\`\`\n${text}\n\`\`\``
  return random.chance(0.7)
    ? `${random.pick(codeQuestions)}\n\n${fenced}`
    : `${fenced}\n\n${random.pick(codeQuestions)}`
}
