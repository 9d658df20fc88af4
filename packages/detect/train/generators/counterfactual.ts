import type { Random } from '../rows/random.ts'
import { createRandom } from '../rows/random.ts'
import type { Generator, Row } from '../rows/row.ts'
import { expand } from '../rows/template.ts'
import { carrier, plant } from './carriers/carriers.ts'
import { attackWords } from './lines/attack-words.ts'
import {
  codeRequests,
  counterfactualLines,
  counterfactualWords,
  documentRequests,
  humanNotes,
} from './lines/counterfactual.ts'
import { plantedTasks } from './lines/indirect.ts'
import { drawRows } from './lines/pattern-rows.ts'

const source = 'gen-counterfactual'
const slots = { ...attackWords, ...counterfactualWords }

/** The words of every attack strategy with harmless intent: questions, quotations, unrelated use, notes to people. */
export const generator: Generator = {
  name: 'counterfactual',
  seed: 0x0a1a,
  rows: () => {
    // The tasks that attacks plant in documents are harmless when the user asks for them, hence `asked`.
    const random = createRandom(0x0a1a)
    const lines = {
      kind: 'hard-negative',
      label: 0,
      patterns: counterfactualLines,
      count: 1500,
      slots: counterfactualWords,
      company: 0.12,
    } as const
    const notes = Array.from({ length: 400 }, () => noted(random))
    const asked = { ...lines, patterns: [...plantedTasks, ...codeRequests], count: 400 } as const
    const requests = Array.from({ length: 250 }, () => requested(random))
    const tasks = drawRows(source, asked, random).map((row) => ({ ...row, kind: 'ordinary' }))
    return [...drawRows(source, lines, random), ...tasks, ...notes, ...requests]
  },
}

/** A document with one or two sentences for people, in the same places as planted orders. */
function noted(random: Random): Row {
  const into = carrier(random)
  const note = expand(random.pick(humanNotes), slots, random)
  const { text } = plant(into, note, random.pick([0, -1, -1, random.below(into.slots.length)]))
  return { text, label: 0, kind: text.length > 2000 ? 'long-document' : 'document', source, lang: 'en', sub: into.kind }
}

/** The user's own request with the document it is about, clearly apart. */
function requested(random: Random): Row {
  const { text, kind } = carrier(random)
  const request = expand(random.pick(documentRequests), slots, random)
  const [open, close] = random.pick([
    ['\n\n', ''],
    ['\n"""\n', '\n"""'],
    ['\n\nText:\n', ''],
    ['\n---\n', '\n---'],
    ['\n<document>\n', '\n</document>'],
    ['\n```\n', '\n```'],
  ])
  return {
    text: `${request}${open ?? ''}${text}${close ?? ''}`,
    label: 0,
    kind: 'ordinary',
    source,
    lang: 'en',
    sub: kind,
  }
}
