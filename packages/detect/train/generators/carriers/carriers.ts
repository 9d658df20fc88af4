import type { Random } from '../../rows/random.ts'
import { codeShapes } from './code.ts'
import { dataShapes } from './data.ts'
import { markupShapes } from './markup.ts'
import { officeShapes } from './office.ts'
import { proseShapes } from './prose.ts'
import { createWriter, MARK } from './writer.ts'

/** A harmless document. Attack and benign generators share it, so that the document itself carries no signal. */
export interface Carrier {
  readonly text: string
  /** Offsets (UTF-16) where a sentence can be inserted, ascending; at least one. */
  readonly slots: readonly number[]
  /** Name of the shape: `email`, `json-search`, `html-page` … A name that begins with `json` needs JSON escapes. */
  readonly kind: string
}

const shapes = { ...officeShapes, ...proseShapes, ...markupShapes, ...dataShapes, ...codeShapes }

/** Names of all carrier shapes. */
export const carrierKinds: readonly string[] = Object.keys(shapes)

/** Draws a document of random shape, topic and length (about 150 to 6,000 characters). */
export function carrier(random: Random): Carrier {
  const [kind, shape] = random.pick(Object.entries(shapes))
  const marked = shape(createWriter(random))
  const slots: number[] = []
  let text = ''
  for (const [index, part] of marked.split(MARK).entries()) {
    if (index > 0 && slots.at(-1) !== text.length) slots.push(text.length)
    text += part
  }
  return { text, slots: slots.length > 0 ? slots : [text.length], kind }
}

export interface Planted {
  readonly text: string
  /** Range of the sentence in the text. */
  readonly planted: readonly [start: number, end: number]
}

/** Puts `sentence` at one of the carrier's slots (`index` counts from the start, negative from the end). */
export function plant(into: Carrier, sentence: string, index: number): Planted {
  const at = into.slots.at(index) ?? into.text.length
  const before = into.text.slice(0, at)
  const after = into.text.slice(at)
  const inserted = into.kind.startsWith('json') ? JSON.stringify(sentence).slice(1, -1) : sentence
  const opening = before === '' || /[\s>"'([{|,#*/-]$/.test(before.slice(-1)) ? '' : ' '
  const closing = after === '' || /^[\s<"')|,*-]/.test(after) ? '' : ' '
  const start = before.length + opening.length
  return { text: before + opening + inserted + closing + after, planted: [start, start + inserted.length] }
}
