/** From hits to findings and a score. Pure. Tested in scan.test.ts. */
import type { Finding } from '../declared/finding-schema.ts'
import type { Severity } from '../declared/words.ts'
import { tagsOf } from './tags.ts'

export interface Hit {
  readonly family: string
  /** 0..1 */
  readonly score: number
  readonly pointer: string
  readonly excerpt: string
}

/** `1 − Π(1 − s)` over the surest of each family. */
export function noisyOr(findings: readonly Pick<Finding, 'family' | 'score'>[]): number {
  const surest = new Map<string, number>()
  for (const { family, score } of findings) surest.set(family, Math.max(score, surest.get(family) ?? 0))
  return 1 - [...surest.values()].reduce((rest, score) => rest * (1 - score), 1)
}

const mostFindings = 50
const longestPointer = 1_024

/** The surest hit of each family at each place, the surest first. */
export function gather(tool: string, hits: readonly Hit[]): Finding[] {
  const kept = new Map<string, Hit>()
  for (const hit of hits) {
    const key = `${hit.family} ${hit.pointer}`
    if ((kept.get(key)?.score ?? -1) < hit.score) kept.set(key, hit)
  }
  return [...kept.values()]
    .toSorted((one, other) => other.score - one.score)
    .slice(0, mostFindings)
    .map((hit) => findingOf(tool, hit))
}

function findingOf(tool: string, { family, score, pointer, excerpt }: Hit): Finding {
  return {
    family,
    severity: severityOf(score),
    score: Math.round(score * 1_000) / 1_000,
    tool: tool.slice(0, 256),
    pointer: pointer.slice(0, longestPointer),
    excerpt: printable(excerpt),
    tags: tagsOf(family),
  }
}

export function severityOf(score: number): Severity {
  if (score >= 0.95) return 'critical'
  if (score >= 0.7) return 'high'
  return score >= 0.5 ? 'medium' : 'low'
}

/** Control and invisible characters are written out: a finding must show them. */
function printable(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, (letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`)
    .slice(0, 200)
}
