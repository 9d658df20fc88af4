/**
 * The detectors for a dry run, which is in a thread already: everything is looked at in place and at once. A text that was
 * kept redacted shows the entities it held by their placeholders. Tested in simulation.test.ts.
 */

import type { CallText } from '../call/texts/texts.ts'
import { type Finding, findSensitive, type ScanResult, scanInjection } from '../detection/detectors.ts'
import { textsToScan } from '../detection/joined-texts.ts'
import { createKnownFindings } from '../detection/memory/known-findings.ts'
import { everyMatch, matchesIn } from '../detection/tenant-patterns.ts'
import type { Analyses } from '../inspection/analyses.ts'
import { hideInAnswer } from '../inspection/sensitive-texts.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import { isBuiltinEntity } from '../policy/sections/entities.ts'

/** Findings in the texts of one call under one set of rules; two versions with the same rules share them. */
export type Memory = Map<string, unknown>

export function inPlaceAnalyses(memory: Memory, redacted: boolean): Analyses {
  let sent: readonly CallText[] = []
  const remembered = <T>(key: string, look: () => T): T => {
    const known = memory.get(key)
    if (known !== undefined) return known as T
    const found = look()
    memory.set(key, found)
    return found
  }
  const sensitive = ({ plan: { policy } }: WithPlan) => {
    const { custom } = policy.effective.sensitive_data
    const rules = JSON.stringify(custom)
    return (text: string): readonly Finding[] =>
      remembered(`sensitive\n${rules}\n${text}`, () => [
        ...findSensitive(text, custom),
        ...(redacted ? placeholdersIn(text, new Set(custom.map(({ name }) => name))) : []),
      ])
  }
  return {
    keep: (_state, texts) => {
      sent = texts
    },
    begin: () => undefined,
    texts: () => sent,
    known: () => createKnownFindings(null),
    injection: ({ plan: { policy } }) => {
      const { injection, normalization } = policy.effective
      const { decode_depth: decodeDepth } = normalization
      const thresholds = { flagAt: injection.flag_at, blockAt: injection.block_at, decodeDepth }
      const rules = JSON.stringify([injection.extra_rules, injection.allow_patterns, injection.families, thresholds])
      return textsToScan(sent).map((piece) => ({
        piece,
        result: remembered<ScanResult>(`injection\n${rules}\n${piece.provenance}\n${piece.text}`, () =>
          scanInjection(piece, thresholds, injection),
        ),
      }))
    },
    sensitive,
    patterns: () => matchesIn,
    everyPattern: () => everyMatch,
    forRecord: (state) => sensitive(state),
    hideInAnswer: (texts, policy) => texts.map((text) => hideInAnswer(text, policy)),
  }
}

const placeholder = /(?:⟦|\[\[|\{\{|\[|<|«)([A-Z][A-Z0-9_]{0,25})_\d{1,7}(?:⟧|\]\]|\}\}|\]|>|»)/g

/** The findings that the placeholders in a kept text stand for. */
function placeholdersIn(text: string, custom: ReadonlySet<string>): readonly Finding[] {
  return [...text.matchAll(placeholder)].flatMap((match) => {
    const [whole, name = ''] = match
    if (name === 'LITERAL' || name.startsWith('OUT_')) return []
    const detector = isBuiltinEntity(name) || custom.has(name) ? ('pii' as const) : ('secret' as const)
    const type = detector === 'pii' ? name : name.toLowerCase()
    return [{ detector, type, start: match.index, end: match.index + whole.length, score: 1 }]
  })
}
