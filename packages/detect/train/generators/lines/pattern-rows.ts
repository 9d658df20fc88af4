import type { Random } from '../../rows/random.ts'
import { createRandom } from '../../rows/random.ts'
import type { Generator, Row } from '../../rows/row.ts'
import type { Slots } from '../../rows/template.ts'
import { expand } from '../../rows/template.ts'
import { createWriter } from '../carriers/writer.ts'
import { attackWords } from './attack-words.ts'
import { surfaceNoise } from './surface-noise.ts'

/** A group of patterns of one kind, and how many rows to draw from it. */
export interface PatternGroup {
  readonly kind: string
  readonly label: 0 | 1
  readonly patterns: readonly string[]
  readonly count: number
  /** Slots beyond the shared words. */
  readonly slots?: Slots
  /** Sentences that may be joined into one text; 1 unless said. */
  readonly join?: number
  /** Share of rows with a harmless request before or after; 0.2 unless said. */
  readonly company?: number
  /** Kept as written (code, templates): no capital letters, no noise. */
  readonly literal?: boolean
}

/** A generator whose rows come from pattern groups, every pattern used about equally often. */
export function patternGenerator(name: string, seed: number, groups: readonly PatternGroup[]): Generator {
  return {
    name,
    seed,
    rows: () => {
      const random = createRandom(seed)
      return groups.flatMap((group) => drawRows(`gen-${name}`, group, random))
    },
  }
}

/** The rows of one group; exact repetitions are drawn again, a few times. */
export function drawRows(source: string, group: PatternGroup, random: Random): Row[] {
  const seen = new Set<string>()
  const rows: Row[] = []
  let deck: string[] = []
  for (let tries = 0; rows.length < group.count && tries < group.count * 4; tries += 1) {
    if (deck.length === 0) deck = random.sample(group.patterns, group.patterns.length)
    const text = drawText(deck.pop() ?? '', group, random)
    if (text === '' || seen.has(text)) continue
    seen.add(text)
    rows.push({ text, label: group.label, kind: group.kind, source, lang: 'en' })
  }
  return rows
}

function drawText(pattern: string, group: PatternGroup, random: Random): string {
  const slots = group.slots === undefined ? attackWords : { ...attackWords, ...group.slots }
  if (group.literal === true) return expand(pattern, slots, random).trim()
  const more =
    (group.join ?? 1) > 1 && random.chance(0.3)
      ? random.sample(group.patterns, 1 + random.below((group.join ?? 2) - 1))
      : []
  const sentences = [pattern, ...more].map((each) => finish(expand(each, slots, random), random))
  const text = surfaceNoise(sentences.join(random.pick([' ', ' ', '\n', '\n\n'])), random)
  return random.chance(group.company ?? 0.2) ? inCompany(text, random) : text
}

/** Capital letters after stops (most people), a stop at the end (some). */
function finish(text: string, random: Random): string {
  const tidy = text.trim()
  if (random.chance(0.2)) return tidy
  const capitals = tidy.replaceAll(
    /(^|[.!?]\s+)([a-z])/g,
    (_, before: string, letter: string) => before + letter.toUpperCase(),
  )
  return /[\w)]$/.test(capitals) && random.chance(0.8) ? `${capitals}.` : capitals
}

function inCompany(text: string, random: Random): string {
  const asked = expand('{question}', attackWords, random)
  const request = random.chance(0.2) ? `${asked} ${pasted(random)}` : asked
  const link = random.pick([' ', ' ', '\n', '\n\n', ' Also: ', ' And then: ', ' PS: ', '\n---\n', ' ... '])
  return random.chance(0.65) ? request + link + text : text + link.replace('PS: ', '') + request
}

/** Harmless prose as people paste it under a request. */
function pasted(random: Random): string {
  const writer = createWriter(random)
  const prose = Array.from({ length: 1 + random.below(5) }, writer.sentence).join(' ')
  return random.pick([prose, `"${prose}"`, `\n\n${prose}\n\n`, `Text: ${prose}`])
}
