import { compilePattern, normalize } from '@parapet/detect'
import { canonicalHash } from '../../../kernel/crypto/canonical-json.ts'
import { defaultDocument } from './defaults.ts'
import { type EffectivePolicy, mergeStrictest } from './merge.ts'
import type { PublishedPolicy } from './snapshot.ts'

/** A rule on text, ready to run. */
export interface TextRule {
  readonly id: string
  readonly action: 'flag' | 'block'
  /** How often it matches; capped, because one is enough to act. */
  count(text: { readonly original: string; readonly normalized: string }): number
}

export interface CompiledPolicy {
  readonly effective: EffectivePolicy
  readonly sources: readonly { readonly id: string; readonly version: number; readonly sha256: string }[]
  /** Hash of the merged rules: the part of a cache key that says under which rules an answer was made. */
  readonly sha256: string
  readonly rules: readonly TextRule[]
}

/** Merges the policies and makes their patterns ready. Without any, the built-in baseline applies. */
export function compilePolicies(policies: readonly PublishedPolicy[]): CompiledPolicy {
  const documents = policies.length > 0 ? policies.map(({ document }) => document) : [defaultDocument]
  const effective = mergeStrictest(documents)
  const { denied_terms: terms, denied_patterns: patterns } = effective.content
  return {
    effective,
    sources: policies.map(({ id, version, sha256 }) => ({ id, version, sha256 })),
    sha256: canonicalHash(effective),
    rules: [...terms.map(termRule), ...patterns.map(patternRule)],
  }
}

const mostCounted = 100

function termRule({ id, terms, match, action }: EffectivePolicy['content']['denied_terms'][number]): TextRule {
  const wanted = terms.map((term) => normalize(term).text.trim()).filter((term) => term !== '')
  return {
    id,
    action,
    count: ({ normalized }) => wanted.reduce((sum, term) => sum + occurrences(normalized, term, match === 'word'), 0),
  }
}

function occurrences(text: string, term: string, wholeWord: boolean): number {
  let count = 0
  for (let at = text.indexOf(term); at >= 0 && count < mostCounted; at = text.indexOf(term, at + 1)) {
    if (!wholeWord || (!isWordAt(text, at - 1) && !isWordAt(text, at + term.length))) count += 1
  }
  return count
}

const wordCharacter = /[\p{L}\p{N}_]/u

function isWordAt(text: string, at: number): boolean {
  return at >= 0 && at < text.length && wordCharacter.test(text.charAt(at))
}

function patternRule({ id, pattern, action }: EffectivePolicy['content']['denied_patterns'][number]): TextRule {
  const compiled = compilePattern(pattern)
  // A document is only stored with patterns that compile; one that no longer does fails its step, not the whole load.
  if (!compiled.ok) return { id, action, count: () => unusable(id, compiled.reason) }
  return { id, action, count: ({ original }) => compiled.pattern.findAll(original, mostCounted).matches.length }
}

function unusable(id: string, reason: string): never {
  throw new Error(`The pattern of rule ${id} cannot be used. ${reason}`)
}
