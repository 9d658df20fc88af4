/**
 * What the detectors find in the texts of a call. Small calls are looked at in place, when a step asks; large ones in a
 * thread, begun as soon as the texts are known, so that the event loop goes on. Promises the same findings either way,
 * and that texts and findings are gone with their call. Tested in analyses.test.ts.
 */

import type { AbortWatch } from '../../../kernel/base/abort.ts'
import type { Threads } from '../../../kernel/threads/threads.ts'
import type { WithLife } from '../admission/call-life.ts'
import { type CallText, textsOf } from '../call/texts/texts.ts'
import type { Writes } from '../call/writes.ts'
import type { CustomRecognizer } from '../detection/custom-entities.ts'
import { findSensitive, scanInjection } from '../detection/detectors.ts'
import type { PatternFinder, PatternSearch, SensitiveFinder } from '../detection/finders.ts'
import { noInjectionRules } from '../detection/injection-rules.ts'
import { type TextToScan, textsToScan } from '../detection/joined-texts.ts'
import type { Known, Matches, Scan, ScannedText } from '../detection/looked-at.ts'
import { type ScannedTexts, scanTexts, type TextsToScan } from '../detection/scan-texts.ts'
import { everyMatch, matchesIn } from '../detection/tenant-patterns.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import { classMatters } from './data-class.ts'
import { inspects } from './sensitive-texts.ts'
import { textsAcross } from './split-values.ts'

export interface Analyses extends PatternSearch {
  /** Keeps the texts as the caller sent them. */
  keep(state: Writes<WithPlan>, texts: readonly CallText[]): void
  /** Begins to look at a large call, as it is now. */
  begin(state: WithLife & WithPlan): void
  /** The texts as the caller sent them. */
  texts(state: WithPlan): readonly CallText[]
  /** Those of joined texts included. @throws Error when the thread could not do it */
  injection(state: WithPlan): readonly ScannedText[] | Promise<readonly ScannedText[]>
  /** Finds in the texts of the call. @throws Error when the thread could not do it */
  sensitive(state: WithPlan): SensitiveFinder | Promise<SensitiveFinder>
  /** Finds the policy's patterns in the texts as the caller sent them. @throws Error when the thread could not do it */
  patterns(state: WithPlan): PatternFinder | Promise<PatternFinder>
  /**
   * Finds for a record of the call, which is made also when the call itself is over and before its policy was known.
   * @throws Error as above
   */
  forRecord(state: WithPlan, texts: readonly string[], custom?: Custom): SensitiveFinder | Promise<SensitiveFinder>
}

type Custom = readonly CustomRecognizer[]

/** Characters of a call beyond which it would hold the event loop for more than 5 ms. */
export const largeCall = 32_768

/**
 * A megabyte takes under a second, and the first thread some more to start; waiting longer means that the machine has more
 * work than it can do.
 */
const scanLimitMs = 30_000

/** A step that looks at texts may wait for a thread and then for outside models, each of which has a limit of its own. */
export const longestLookMs = 60_000

export function createAnalyses({ threads }: { readonly threads: Threads }): Analyses {
  const scanOf = (state: WithPlan): Promise<Scan> | null => state.plan.lookedAt?.scan ?? null
  const sentTexts = (state: WithPlan): readonly CallText[] => state.plan.lookedAt?.texts ?? []
  return {
    keep: (state, texts) => {
      state.write({ plan: { lookedAt: { texts, scan: null } } })
    },
    begin: (state) => {
      const kept = state.plan.lookedAt
      if (kept === null) return
      const looked = textsToScan(kept.texts)
      if (!isLarge(looked.map(({ text }) => text))) return
      const wanted = wantedOf(state, { sent: kept.texts, looked })
      if (wanted.injection.length + wanted.sensitive.length + wanted.matched.length === 0) return
      kept.scan = awaitedLater(
        runScan(threads, wanted, state.life.abort).then((found) => scanned(looked, wanted, found)),
      )
    },
    texts: sentTexts,
    injection: (state) => {
      const scan = scanOf(state)
      if (scan !== null) return awaitedLater(scan.then(({ injection }) => injection))
      const thresholds = thresholdsOf(state)
      const rules = state.plan.policy.effective.injection
      return textsToScan(sentTexts(state)).map((piece) => ({ piece, result: scanInjection(piece, thresholds, rules) }))
    },
    sensitive: (state) => {
      const custom = customOf(state)
      const scan = scanOf(state)
      return scan === null ? finderOf(nothing, custom) : awaitedLater(scan.then(({ known }) => finderOf(known, custom)))
    },
    patterns: (state) => {
      const scan = scanOf(state)
      return scan === null ? matchesIn : awaitedLater(scan.then(({ matches }) => patternFinderOf(matches)))
    },
    everyPattern: (patterns, texts) => {
      const matched = [...new Set(texts)]
      if (patterns.length === 0 || !isLarge(matched)) return everyMatch
      const wanted = { ...nothingWanted, patterns, matched, every: true } as const
      const work = runScan(threads, wanted, null)
      return awaitedLater(work.then((found) => patternFinderOf(matchesOf(wanted, found), everyMatch)))
    },
    forRecord: (state, texts, custom = customOf(state)) =>
      isLarge(texts) ? recordFinder(threads, scanOf(state), { texts, custom }) : finderOf(nothing, custom),
  }
}

/**
 * Its failure is heard by whoever needs it, perhaps behind another wait, and by nobody where the call ends before: that must
 * not end the process.
 */
export function awaitedLater<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined)
  return work
}

const nothing: Known = new Map()

const customOf = ({ plan: { policy } }: WithPlan): Custom => policy.effective.sensitive_data.custom

function isLarge(texts: readonly string[]): boolean {
  return texts.reduce((sum, text) => sum + text.length, 0) > largeCall
}

export function thresholdsOf({ plan: { policy } }: WithPlan): TextsToScan['thresholds'] {
  const { flag_at: flagAt, block_at: blockAt } = policy.effective.injection
  return { flagAt, blockAt, decodeDepth: policy.effective.normalization.decode_depth }
}

/** What is made of several texts counts where it is sure. */
export function counts({ piece, result }: ScannedText): boolean {
  return piece.joined === undefined || result.verdict === 'block'
}

interface Given {
  readonly sent: readonly CallText[]
  readonly looked: readonly TextToScan[]
}

function wantedOf(state: WithPlan, { sent, looked }: Given): TextsToScan {
  const { injection, sensitive_data: rules, content } = state.plan.policy.effective
  const all = classMatters(state)
  const inspected = textsOf(state.plan.call).filter(
    ({ provenance }) => all || (rules.enabled && inspects(rules, provenance)),
  )
  const patterns = content.denied_patterns
    .filter(({ on, action }) => on.includes('input') && action !== 'redact')
    .map(({ pattern }) => pattern)
  return {
    injection: injection.enabled ? looked.map(({ text, provenance }) => ({ text, provenance })) : [],
    thresholds: thresholdsOf(state),
    rules: injection,
    sensitive: [
      ...new Set([...inspected.map(({ text }) => text), ...(rules.enabled ? textsAcross(state.plan.call, rules) : [])]),
    ],
    custom: rules.custom,
    patterns,
    matched: patterns.length === 0 ? [] : [...new Set(sent.map(({ text }) => text))],
  }
}

async function runScan(threads: Threads, wanted: TextsToScan, signal: AbortWatch | null): Promise<ScannedTexts> {
  try {
    return await threads.run(scanTexts, wanted, { limitMs: scanLimitMs, ...(signal !== null && { signal }) })
  } catch (cause) {
    // An overload is a failure of the step, whose policy says what it means; it is not an answer to the caller.
    throw new Error('The texts could not be looked at', { cause })
  }
}

function scanned(looked: readonly TextToScan[], wanted: TextsToScan, found: ScannedTexts): Scan {
  const injection = found.injection.flatMap((result, index) => {
    const piece = looked[index]
    return piece === undefined ? [] : [{ piece, result }]
  })
  return { injection, known: knownOf(wanted.sensitive, found.sensitive), matches: matchesOf(wanted, found) }
}

function knownOf(texts: readonly string[], findings: ScannedTexts['sensitive']): Known {
  return new Map(texts.map((text, index) => [text, findings[index] ?? []]))
}

function matchesOf({ matched, patterns }: TextsToScan, { matches }: ScannedTexts): Matches {
  return new Map(
    matched.map((text, index) => [text, new Map(patterns.map((pattern, at) => [pattern, matches[index]?.[at] ?? []]))]),
  )
}

/** A text that was not there before, such as a notice in the place of another, is short and looked at in place. */
function finderOf(known: Known, custom: Custom): SensitiveFinder {
  return (text) => known.get(text) ?? findSensitive(text, custom)
}

function patternFinderOf(matches: Matches, otherwise: PatternFinder = matchesIn): PatternFinder {
  return (text, pattern) => matches.get(text)?.get(pattern) ?? otherwise(text, pattern)
}

interface RecordTexts {
  readonly texts: readonly string[]
  readonly custom: Custom
}

/** Goes on from what was found for the steps, as far as they got. */
async function recordFinder(
  threads: Threads,
  scan: Promise<Scan> | null,
  { texts, custom }: RecordTexts,
): Promise<SensitiveFinder> {
  const known: Known = (await scan?.catch(() => null))?.known ?? nothing
  const missing = [...new Set(texts)].filter((text) => !known.has(text))
  if (!isLarge(missing)) return finderOf(known, custom)
  const found = await runScan(threads, { ...nothingWanted, sensitive: missing, custom }, null)
  return finderOf(new Map([...known, ...knownOf(missing, found.sensitive)]), custom)
}

const nothingWanted = {
  injection: [],
  sensitive: [],
  custom: [],
  thresholds: { flagAt: 1, blockAt: 1 },
  rules: noInjectionRules,
  patterns: [],
  matched: [],
} as const satisfies TextsToScan
