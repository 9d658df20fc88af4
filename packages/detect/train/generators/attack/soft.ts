import type { Random } from '../../rows/random.ts'
import { createRandom } from '../../rows/random.ts'
import type { Generator, Row } from '../../rows/row.ts'
import { expand } from '../../rows/template.ts'
import { carrier, plant } from '../carriers/carriers.ts'
import { createWriter } from '../carriers/writer.ts'
import { attackWords } from '../lines/attack-words.ts'
import type { PatternGroup } from '../lines/pattern-rows.ts'
import { drawRows } from '../lines/pattern-rows.ts'
import {
  softFrames,
  softGames,
  softOrders,
  softOverrides,
  softPersuasion,
  softSecrets,
  softWords,
} from '../lines/soft.ts'

const source = 'gen-soft'
const slots = { ...attackWords, ...softWords }
const shared = { label: 1, slots: softWords, company: 0.1 } as const

const groups: readonly PatternGroup[] = [
  { ...shared, kind: 'indirect', patterns: softOrders, count: 150 },
  { ...shared, kind: 'system-prompt-leak', patterns: softSecrets, count: 280 },
  { ...shared, kind: 'jailbreak-roleplay', patterns: softGames, count: 160 },
  { ...shared, kind: 'system-prompt-leak', patterns: softPersuasion, count: 160 },
  { ...shared, kind: 'direct-override', patterns: softOverrides, count: 150 },
  { ...shared, kind: 'system-prompt-leak', patterns: softFrames, count: 120, literal: true },
]

/** Attacks without the usual words: polite orders in documents, riddles about a secret, games, authority, code. */
export const generator: Generator = {
  name: 'soft',
  seed: 0x0a2b,
  rows: () => {
    const random = createRandom(0x0a2b)
    const planted = Array.from({ length: 450 }, (_, index) => inDocument(inTurn(softOrders, index), random))
    const drawn = groups.flatMap((group) => drawRows(source, group, random))
    const buried = Array.from({ length: 100 }, (_, index) => inPrompt(inTurn(softOverrides, index), random))
    return [...planted, ...drawn, ...buried]
  },
}

const inTurn = (patterns: readonly string[], index: number): string => patterns[index % patterns.length] ?? ''

function sentence(pattern: string, random: Random): string {
  const text = expand(pattern, slots, random).trim()
  const stopped = /[\w)]$/.test(text) ? `${text}.` : text
  return random.chance(0.8) ? stopped.charAt(0).toUpperCase() + stopped.slice(1) : stopped
}

function inDocument(pattern: string, random: Random): Row {
  const into = carrier(random)
  const place = random.pick([0, -1, random.below(into.slots.length), random.below(into.slots.length)])
  const row = plant(into, sentence(pattern, random), place)
  return { ...row, label: 1, kind: 'indirect', source, lang: 'en', sub: into.kind }
}

/** A long harmless request with the attack in its middle. */
function inPrompt(pattern: string, random: Random): Row {
  const writer = createWriter(random)
  const prose = (): string => Array.from({ length: 3 + random.below(8) }, writer.sentence).join(' ')
  const link = random.pick([' ', ' ', '\n', '\n\n'])
  const before = `${expand('{question}', attackWords, random)}${random.pick([' ', '\n\n'])}${prose()}${link}`
  const attack = sentence(pattern, random)
  const text = before + attack + link + prose()
  const planted = [before.length, before.length + attack.length] as const
  return { text, label: 1, kind: 'direct-override', source, lang: 'en', planted }
}
