/**
 * The texts of all tools joined together, in the order of the list and of their names, with and without a space between:
 * a sentence that is split over tools is whole there. Pure. Tested in scan.test.ts.
 */
import type { Finding } from '../declared/finding-schema.ts'
import type { Definition } from '../pins/pin.ts'
import { gather, type Hit } from './score.ts'
import type { PlacedText } from './strings.ts'

const mostCharacters = 200_000

export interface JoinQuestion {
  readonly definitions: readonly Definition[]
  /** Findings of single tools; they are not reported again. */
  readonly known: readonly Finding[]
}

export function joinedFindings(
  scan: (text: PlacedText) => readonly Hit[],
  { definitions, known }: JoinQuestion,
): Finding[] {
  if (definitions.length < 2) return []
  const surest = new Map<string, number>()
  for (const { family, score } of known) surest.set(family, Math.max(score, surest.get(family) ?? 0))
  const hits = joins(definitions).flatMap((text) => scan({ pointer: '', text }))
  return gather(
    '',
    hits.filter(({ family, score }) => score >= leastScore && score > (surest.get(family) ?? 0)),
  )
}

/** Long harmless texts hold a word of everything: only rules that are sure by themselves count here. */
const leastScore = 0.8

function joins(definitions: readonly Definition[]): readonly string[] {
  const listed = definitions.map(({ name, description }) => ({ name: String(name), text: textOf(description) }))
  const sorted = listed.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const ways = [listed, sorted].flatMap((order) => {
    const texts = order.map(({ text }) => text).filter((text) => text !== '')
    return [texts.join(' '), texts.join('')]
  })
  return [...new Set(ways)].map((text) => text.slice(0, mostCharacters))
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')
