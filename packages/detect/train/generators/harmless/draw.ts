/** Drawing rows from lists of sentence patterns. */
import type { Random } from '../../rows/random.ts'
import type { Row } from '../../rows/row.ts'
import { expand, type Slots } from '../../rows/template.ts'

/** Non-empty lines of a block, without the space around them. */
export function lines(block: string): string[] {
  return block
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** Texts separated by lines of `----`. */
export function pieces(block: string): string[] {
  return block
    .split(/^----$/m)
    .map((piece) => piece.replace(/^\n+|\s+$/g, ''))
    .filter((piece) => piece !== '')
}

/** Draws until there are `count` rows with different texts; gives up after ten draws for each. */
export function distinct(count: number, draw: (index: number) => Row): Row[] {
  const rows: Row[] = []
  const seen = new Set<string>()
  for (let i = 0; i < count * 10 && rows.length < count; i += 1) {
    const row = draw(i)
    if (seen.has(row.text)) continue
    seen.add(row.text)
    rows.push(row)
  }
  return rows
}

/**
 * Fills `«name»` from lists, for texts full of brackets. `«name#1»` is the same everywhere in the text; entries may hold
 * marks of other lists.
 * @throws RangeError for a list that does not exist.
 */
export function weave(text: string, lists: Slots, random: Random): string {
  const kept = new Map<string, string>()
  const fill = (part: string, depth: number): string =>
    part.replace(/«([a-z0-9_-]{1,20})(#\d)?»/gi, (mark: string, name: string, again?: string) => {
      const known = again === undefined ? undefined : kept.get(mark)
      if (known !== undefined) return known
      const list = lists[name]
      if (list === undefined || depth > 6) throw new RangeError(`no list ${name}`)
      const filled = fill(random.pick(list), depth + 1)
      if (again !== undefined) kept.set(mark, filled)
      return filled
    })
  return fill(text, 0)
}

/** Expands pattern number `index` of a list that is gone through in rounds, so that every pattern is used. */
export function inTurn(patterns: readonly string[], index: number, slots: Slots, random: Random): string {
  const pattern = patterns[index % patterns.length] ?? ''
  return sentenceStart(expand(pattern, slots, random))
}

function sentenceStart(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
