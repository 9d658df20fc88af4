import { normalize } from '@parapet/detect'
import { canonicalHash } from '../../../kernel/crypto/canonical-json.ts'
import type { PatternFinder } from '../detection/finders.ts'
import { mostMatches, type Span } from '../detection/tenant-patterns.ts'
import type { Side } from '../words/policy-words.ts'
import { type ConditionCheck, conditionOf } from './conditions.ts'
import { defaultDocument } from './defaults.ts'
import { union } from './lattice.ts'
import type { EffectivePolicy } from './merge.ts'
import { mergeByPriority } from './priority.ts'
import type { AppliedPolicy } from './published.ts'

export interface TextViews {
  readonly original: string
  readonly normalized: ReturnType<typeof normalize>
}

/** Normalized when a rule asks for it: patterns are looked for in the text as it stands. */
export function viewsOf(original: string): TextViews {
  let normalized: TextViews['normalized'] | null = null
  return {
    original,
    get normalized() {
      normalized ??= normalize(original)
      return normalized
    },
  }
}

/** A rule on text, ready to run. */
export interface TextRule {
  readonly id: string
  /** Different for each rule of a policy, also where two share an id. */
  readonly name: string
  readonly action: 'flag' | 'redact' | 'block'
  readonly on: readonly Side[]
  /** Where it is looked for as a pattern, and not as words. */
  readonly pattern: string | null
  /** Characters of text in which a match of known length is certain to be seen whole; 0 where no length is known. */
  readonly reach: number
  /** Where it matches in the original text; capped where one match is enough to act. */
  find(text: TextViews, patterns: PatternFinder): readonly Span[]
}

export interface CompiledPolicy {
  readonly effective: EffectivePolicy
  readonly sources: readonly { readonly id: string; readonly version: number; readonly sha256: string }[]
  /** Hash of the merged rules: the part of a cache key that says under which rules an answer was made. */
  readonly sha256: string
  readonly rules: readonly TextRule[]
  readonly conditions: readonly ConditionCheck[]
}

/**
 * Merges the policies and makes their patterns ready. Without any, the built-in baseline applies.
 * @param residency where the tenant lets its data go; null for anywhere
 */
export function compilePolicies(
  policies: readonly AppliedPolicy[],
  residency: readonly string[] | null = null,
): CompiledPolicy {
  const applied = policies.length > 0 ? policies : [{ document: defaultDocument }]
  const effective = within(mergeByPriority(applied), residency)
  return {
    effective,
    sources: policies.map(({ id, version, sha256 }) => ({ id, version, sha256 })),
    sha256: canonicalHash(effective),
    rules: rulesOf(effective),
    conditions: effective.rules.map(conditionOf),
  }
}

/** The rules on text, ready to run. */
export function rulesOf({ content }: Pick<EffectivePolicy, 'content'>): readonly TextRule[] {
  return [...content.denied_terms.map(termRule), ...content.denied_patterns.map(patternRule)]
}

/** The tenant's residency applies in addition to every policy, also where there is none. */
function within(policy: EffectivePolicy, residency: readonly string[] | null): EffectivePolicy {
  if (residency === null) return policy
  const { providers } = policy
  return { ...policy, providers: { ...providers, residency: union(providers.residency, [residency]) } }
}

type Content = EffectivePolicy['content']

function termRule({ id, terms, match, action, on }: Content['denied_terms'][number], index: number): TextRule {
  const wanted = terms.map((term) => normalize(term).text.trim()).filter((term) => term !== '')
  const wholeWord = match === 'word'
  const most = action === 'redact' ? Number.POSITIVE_INFINITY : mostMatches
  const find = ({ normalized }: TextViews): readonly Span[] =>
    wanted
      .flatMap((term) => occurrences(normalized.text, term, { wholeWord, most }))
      .map(({ start, end }) => normalized.toOriginal(start, end))
  return { id, name: `terms ${index}`, action, on, pattern: null, reach: reachOf(terms), find }
}

/** Twice the written length: a disguised text is longer than the words it hides. */
const reachOf = (terms: readonly string[]): number => 2 * Math.max(...terms.map(({ length }) => length))

interface Search {
  readonly wholeWord: boolean
  readonly most: number
}

function occurrences(text: string, term: string, { wholeWord, most }: Search): readonly Span[] {
  const found: Span[] = []
  for (let at = text.indexOf(term); at >= 0 && found.length < most; at = text.indexOf(term, at + 1)) {
    const end = at + term.length
    if (!wholeWord || (!isWordAt(text, at - 1) && !isWordAt(text, end))) found.push({ start: at, end })
  }
  return found
}

const wordCharacter = /[\p{L}\p{N}_]/u

function isWordAt(text: string, at: number): boolean {
  return at >= 0 && at < text.length && wordCharacter.test(text.charAt(at))
}

function patternRule({ id, pattern, action, on }: Content['denied_patterns'][number], index: number): TextRule {
  const find: TextRule['find'] = ({ original }, patterns) => patterns(original, pattern)
  return { id, name: `pattern ${index}`, action, on, pattern, reach: 0, find }
}
