/**
 * Sigma documents as rules of the engine. Promises that each document is compiled whole or refused with the construct and
 * its place, and that one that is refused takes no other along but the correlations that need it. Pure. Tested in
 * sigma.test.ts.
 */

import type { Definition, RefusedRule, Source } from '../declared/schema.ts'
import type { Category } from '../declared/words.ts'
import { RuleRefusal, segment } from '../engine/base/refusal.ts'
import { compileRule } from '../engine/compile.ts'
import { type ReadCorrelation, readCorrelation } from './correlation.ts'
import { documentOf, type Heading, headingOf } from './document.ts'
import { sourceOf } from './rule.ts'

/** One document as it was read, or why it could not be. */
export interface Opened {
  readonly text: string
  readonly value: unknown
  readonly fault: string | null
}

export interface ImportedRule {
  readonly heading: Heading
  readonly category: Category
  readonly definition: Definition
  readonly text: string
}

export interface Imported {
  readonly rules: readonly ImportedRule[]
  /** Titles of rules that only correlations use. */
  readonly embedded: readonly string[]
  readonly refused: readonly RefusedRule[]
}

interface Plain {
  readonly heading: Heading
  readonly source: Source
  readonly text: string
  readonly place: number
}

interface Composite {
  readonly heading: Heading
  readonly read: ReadCorrelation
  readonly text: string
  readonly place: number
}

/** Bytes of the text of one rule. */
const mostText = 65_536

export function importSigma(opened: readonly Opened[]): Imported {
  const plain: Plain[] = []
  const composites: Composite[] = []
  const refused: RefusedRule[] = []
  for (const [index, document] of opened.entries()) {
    const place = index + 1
    try {
      const read = readOne(document, place)
      if ('read' in read) composites.push(read)
      else plain.push(read)
    } catch (error) {
      refused.push(refusalOf(error, { place, value: document.value }))
    }
  }
  return composed({ plain, composites, refused })
}

function readOne({ text, value, fault }: Opened, place: number): Plain | Composite {
  if (fault !== null) throw new RuleRefusal('yaml', '', fault)
  if (Buffer.byteLength(text) > mostText) throw new RuleRefusal('size', '', 'The rule has more than 64 KiB.')
  const document = documentOf(value)
  const heading = headingOf(document)
  if (document.correlation !== undefined) return { heading, read: readCorrelation(document.correlation), text, place }
  return { heading, source: sourceOf(document, heading.names.at(-1) ?? heading.title), text, place }
}

interface Parts {
  readonly plain: readonly Plain[]
  readonly composites: readonly Composite[]
  readonly refused: readonly RefusedRule[]
}

function composed({ plain, composites, refused }: Parts): Imported {
  const byName = new Map(plain.flatMap((rule) => rule.heading.names.map((name) => [name, rule] as const)))
  const chained = new Map(composites.flatMap((rule) => rule.heading.names.map((name) => [name, rule] as const)))
  const used = new Set<Plain>()
  const rules: ImportedRule[] = []
  const faults: RefusedRule[] = []
  for (const composite of composites) {
    try {
      const parts = partsOf(composite, { byName, chained })
      rules.push(compositeRule(composite, parts))
      if (!composite.read.generate) for (const part of parts) used.add(part)
    } catch (error) {
      faults.push(refusalOf(error, { place: composite.place, value: { title: composite.heading.title } }))
    }
  }
  const own = plain.filter((rule) => !used.has(rule)).map(plainRule)
  return {
    rules: [...own, ...rules],
    embedded: [...used].map(({ heading }) => heading.title),
    refused: [...refused, ...faults].toSorted((one, other) => one.document - other.document),
  }
}

interface Names {
  readonly byName: ReadonlyMap<string, Plain>
  readonly chained: ReadonlyMap<string, Composite>
}

function partsOf({ read, heading }: Composite, { byName, chained }: Names): readonly Plain[] {
  return read.rules.map((name, index) => {
    const pointer = `/correlation/rules${segment(index)}`
    const part = byName.get(name)
    if (part !== undefined) return part
    const other = chained.get(name)
    if (other !== undefined && leadsTo(other, heading, chained))
      throw new RuleRefusal('cyclic correlation', pointer, 'The correlation leads back to itself.')
    if (other !== undefined)
      throw new RuleRefusal(
        'correlation of correlations',
        pointer,
        'A correlation brings together rules, not correlations.',
      )
    throw new RuleRefusal('rules', pointer, `There is no rule ${name.slice(0, 60)} in this text that could be read.`)
  })
}

function leadsTo(from: Composite, target: Heading, chained: ReadonlyMap<string, Composite>): boolean {
  const seen = new Set<Composite>()
  const waiting = [from]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.heading === target) return true
    if (seen.has(next)) continue
    seen.add(next)
    waiting.push(...next.read.rules.flatMap((name) => chained.get(name) ?? []))
  }
  return false
}

/** @throws RuleRefusal where the engine refuses what was read */
function compositeRule({ heading, read, text }: Composite, parts: readonly Plain[]): ImportedRule {
  const sources = parts.map(({ source }, index) => ({ ...source, name: read.rules[index] ?? source.name }))
  const definition: Definition = { ...read.definition, sources }
  compileRule(definition)
  return { heading, category: sources[0]?.category ?? 'platform_event', definition, text }
}

function plainRule({ heading, source, text }: Plain): ImportedRule {
  const definition: Definition = {
    type: 'match',
    sources: [source],
    group_by: [],
    window_seconds: null,
    threshold: null,
    field: null,
    correlation: null,
  }
  return { heading, category: source.category, definition, text }
}

function refusalOf(error: unknown, { place, value }: { readonly place: number; readonly value: unknown }): RefusedRule {
  if (!(error instanceof RuleRefusal)) throw error
  const title: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'title') : null
  return {
    document: place,
    rule: typeof title === 'string' ? title.slice(0, 256) : null,
    construct: error.construct.slice(0, 128),
    pointer: error.pointer.slice(0, 512),
    detail: error.message.slice(0, 1_000),
  }
}
