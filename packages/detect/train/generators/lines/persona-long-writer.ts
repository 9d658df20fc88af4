import type { Random } from '../../rows/random.ts'
import type { Slots } from '../../rows/template.ts'
import { weave } from '../harmless/draw.ts'
import { surfaceNoise } from './surface-noise.ts'

/** Paragraphs of a long persona prompt; `⏎` in a paragraph is a line break, `«name»` a word list. */
export interface PersonaParts {
  readonly openings: readonly string[]
  /** Paragraph kinds, of which a prompt takes some, one paragraph each. */
  readonly kinds: readonly (readonly string[])[]
  readonly rules: readonly string[]
  readonly confirmations: readonly string[]
  readonly questions: readonly string[]
  readonly words: Slots & Readonly<Record<'name' | 'user', readonly string[]>>
}

/** One prompt of 300 to 3,500 characters (before typing noise), in the words of `parts`. */
export function longPersonaPrompt(parts: PersonaParts, random: Random): string {
  const fixed = wordsOf(parts, random)
  for (let tries = 0; tries < 20; tries += 1) {
    const text = weave(arranged(parts, random), fixed, random).replaceAll('⏎', '\n')
    if (text.length >= 300 && text.length <= 3500) return surfaceNoise(text, random)
  }
  return ''
}

/** A prompt keeps its names from beginning to end, as real ones do; scripts and terminals write them in capitals. */
function wordsOf({ words }: PersonaParts, random: Random): Slots {
  const once = Object.entries(words).map(([key, list]) => [key, manyTimes.has(key) ? list : [random.pick(list)]])
  const name = random.pick(words.name)
  const user = random.pick(words.user)
  const names = { name: [name], user: [user], NAMECAPS: [name.toUpperCase()], USERCAPS: [user.toUpperCase()] }
  return { ...Object.fromEntries(once), ...names }
}

const manyTimes: ReadonlySet<string> = new Set(['bad', 'task', 'topic'])

function arranged(parts: PersonaParts, random: Random): string {
  const middle = random
    .sample(parts.kinds, 2 + random.below(9))
    .map((kind) => random.sample(kind, 1 + random.below(3)).join(' '))
  if (random.chance(0.75)) middle.splice(random.below(middle.length + 1), 0, listed(parts.rules, random))
  const question = random.chance(0.7) ? [random.pick(parts.questions)] : []
  const confirmation = random.chance(0.55) ? [random.pick(parts.confirmations)] : []
  const end = random.chance(0.5) ? [...confirmation, ...question] : [...question, ...confirmation]
  const opening = random.pick(parts.openings)
  const all = random.chance(0.85) ? [opening, ...middle, ...end] : [...question, opening, ...middle, ...confirmation]
  return all.join(random.pick([' ', '\n', '\n\n', '\n\n']))
}

function listed(rules: readonly string[], random: Random): string {
  const chosen = random.sample(rules, 3 + random.below(10))
  const mark = random.pick(['num', 'num', 'num', 'paren', 'rule', '- ', '* ', '→ ', 'plain'])
  const lead = random.pick(['', '', 'Rules:\n', 'RULES\n', 'The rules are simple:\n', 'Here is how it works:\n'])
  if (mark === 'plain') return chosen.join(' ')
  return lead + chosen.map((rule, i) => `${label(mark, i + 1)}${rule}`).join('\n')
}

function label(mark: string, number: number): string {
  if (mark === 'num') return `${number}. `
  if (mark === 'paren') return `${number}) `
  return mark === 'rule' ? `Rule ${number}: ` : mark
}
