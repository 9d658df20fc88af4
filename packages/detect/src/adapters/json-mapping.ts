/**
 * How a request body is made from texts and how scores are read from an answer, for services of any shape.
 * Promises that texts can only become JSON strings, never structure, and that an answer that does not fit is an error.
 */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

export interface ScoreMapping {
  /** JSON pointer to a list with one entry a text, in order. Needed when the request sends several texts. */
  readonly items?: string
  /** JSON pointer, from the entry or else the answer, to a probability, a verdict of true or false, or labels. */
  readonly at: string
  /** Labels whose probabilities add up to the score, where `at` leads to `[{label, score}, …]` or `{label: score}`. */
  readonly labels?: readonly string[]
  /** The harmless label, for services that name only the likeliest one: its rest is the score. */
  readonly harmless?: string
}

const several = '{{texts}}'
const single = '{{text}}'

/** Whether a request carries many texts or one; undefined when it names neither or both. */
export function capacityOf(template: Json): 'several' | 'single' | undefined {
  const [many, one] = [contains(template, several), contains(template, single)]
  return many === one ? undefined : many ? 'several' : 'single'
}

function contains(template: Json, wanted: string): boolean {
  if (typeof template !== 'object' || template === null) return template === wanted
  return Object.values(template).some((part) => contains(part, wanted))
}

/** Puts the texts where a value is exactly `{{texts}}` (a list) or `{{text}}` (the first of them). */
export function fillTemplate(template: Json, texts: readonly string[]): Json {
  if (template === several) return texts
  if (template === single) return texts[0] ?? ''
  if (typeof template !== 'object' || template === null) return template
  if (isList(template)) return template.map((part) => fillTemplate(part, texts))
  return Object.fromEntries(Object.entries(template).map(([name, part]) => [name, fillTemplate(part, texts)]))
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

/** The value that a JSON pointer (RFC 6901) leads to; undefined where it leads nowhere. */
export function valueAt(document: unknown, pointer: string): unknown {
  let value = document
  for (const step of pointer.split('/').slice(1)) {
    if (typeof value !== 'object' || value === null) return undefined
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (!Object.hasOwn(value, name)) return undefined
    value = Reflect.get(value, name)
  }
  return value
}

/** Whether it is a JSON pointer: empty, or steps that each begin with a slash. */
export function isPointer(text: string): boolean {
  return (text === '' || text.startsWith('/')) && !/~(?![01])/.test(text)
}

/** One probability for each of `count` texts; undefined when the answer does not hold them. */
export function scoresIn(answer: unknown, mapping: ScoreMapping, count: number): number[] | undefined {
  const entries: unknown = mapping.items === undefined ? [answer] : valueAt(answer, mapping.items)
  if (!Array.isArray(entries) || entries.length !== count) return undefined
  const scores = entries.map((entry) => scoreIn(valueAt(entry, mapping.at), mapping))
  const known = scores.filter((score) => score !== undefined)
  return known.length === count ? known : undefined
}

function scoreIn(value: unknown, { labels, harmless }: ScoreMapping): number | undefined {
  if (labels === undefined && harmless === undefined)
    return probability(typeof value === 'boolean' ? Number(value) : value)
  const scores = labeledScores(value)
  const named = (labels ?? []).flatMap((label) => scores.get(label) ?? [])
  // A sum of rounded probabilities may step over 1 by a hair; by more, they are no probabilities.
  if (named.length > 0)
    return probability(
      named.reduce((sum, score) => sum + score, 0),
      1e-3,
    )
  const rest = harmless === undefined ? undefined : scores.get(harmless)
  return rest === undefined ? undefined : probability(1 - rest)
}

function labeledScores(value: unknown): Map<string, number> {
  if (typeof value !== 'object' || value === null) return new Map()
  const pairs: readonly (readonly [unknown, unknown])[] = Array.isArray(value)
    ? value.map((entry: unknown) => [valueAt(entry, '/label'), valueAt(entry, '/score')])
    : 'label' in value && 'score' in value
      ? [[value.label, value.score]]
      : Object.entries(value)
  const scores = new Map<string, number>()
  for (const [label, score] of pairs) {
    const known = probability(score)
    if (typeof label === 'string' && known !== undefined) scores.set(label, known)
  }
  return scores
}

function probability(value: unknown, slack = 0): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= 1 + slack ? Math.min(1, value) : undefined
}
