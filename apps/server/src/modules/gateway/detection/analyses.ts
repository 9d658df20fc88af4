/**
 * What the detectors find in the texts of a call. Small calls are looked at in place, when a step asks; large ones in a
 * thread, begun as soon as the texts are known, so that the event loop goes on. Promises the same findings either way,
 * and that texts and findings are gone with their call. Tested in analyses.test.ts.
 */
import type { AbortWatch } from '../../../kernel/base/abort.ts'
import type { Threads } from '../../../kernel/threads/threads.ts'
import { type CallText, textsOf } from '../call/texts.ts'
import type { CallState } from '../pipeline/call-state.ts'
import { classMatters } from '../pipeline/data-class.ts'
import { inspects } from '../pipeline/sensitive-texts.ts'
import { textsAcross } from '../pipeline/split-values.ts'
import type { CustomRecognizer } from './custom-entities.ts'
import { type Finding, findSensitive, type InjectionText, type ScanResult, scanInjection } from './detectors.ts'
import { noInjectionRules } from './injection-rules.ts'
import { type TextToScan, textsToScan } from './joined-texts.ts'
import { type ScannedTexts, scanTexts, type TextsToScan } from './scan-texts.ts'
import { everyMatch, matchesIn, type Span } from './tenant-patterns.ts'

export type SensitiveFinder = (text: string) => readonly Finding[]
/** Where a pattern of the policy stands in a text of the call. */
export type PatternFinder = (text: string, pattern: string) => readonly Span[]

export interface ScannedText {
  readonly piece: TextToScan
  readonly result: ScanResult
}

export interface Analyses {
  /** Keeps the texts as the caller sent them. */
  keep(state: CallState, texts: readonly CallText[]): void
  /** Begins to look at a large call, as it is now. */
  begin(state: CallState): void
  /** The texts as the caller sent them. */
  texts(state: CallState): readonly CallText[]
  /** Those of joined texts included. @throws Error when the thread could not do it */
  injection(state: CallState): readonly ScannedText[] | Promise<readonly ScannedText[]>
  /** Finds in the texts of the call. @throws Error when the thread could not do it */
  sensitive(state: CallState): SensitiveFinder | Promise<SensitiveFinder>
  /** Finds the policy's patterns in the texts as the caller sent them. @throws Error when the thread could not do it */
  patterns(state: CallState): PatternFinder | Promise<PatternFinder>
  /** Finds all that the patterns match in texts, to take it out. @throws Error as above */
  everyPattern(patterns: readonly string[], texts: readonly string[]): PatternFinder | Promise<PatternFinder>
  /**
   * Finds for a record of the call, which is made also when the call itself is over and before its policy was known.
   * @throws Error as above
   */
  forRecord(state: CallState, texts: readonly string[], custom?: Custom): SensitiveFinder | Promise<SensitiveFinder>
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

/**
 * What is remembered of a call, in its state. A weak map beside it would do as well, and hold the whole state until the
 * next full collection.
 */
export interface LookedAt {
  readonly texts: readonly CallText[]
  scan: Promise<Scan> | null
}

interface Scan {
  readonly injection: readonly ScannedText[]
  readonly known: Known
  readonly matches: Matches
}

type Known = ReadonlyMap<string, readonly Finding[]>
type Matches = ReadonlyMap<string, ReadonlyMap<string, readonly Span[]>>

export function createAnalyses({ threads }: { readonly threads: Threads }): Analyses {
  const scanOf = (state: CallState): Promise<Scan> | null => state.lookedAt?.scan ?? null
  const sentTexts = (state: CallState): readonly CallText[] => state.lookedAt?.texts ?? []
  return {
    keep: (state, texts) => {
      state.lookedAt = { texts, scan: null }
    },
    begin: (state) => {
      const kept = state.lookedAt
      if (kept === null) return
      const looked = textsToScan(kept.texts)
      if (!isLarge(looked.map(({ text }) => text))) return
      const wanted = wantedOf(state, { sent: kept.texts, looked })
      if (wanted.injection.length + wanted.sensitive.length + wanted.matched.length === 0) return
      kept.scan = awaitedLater(runScan(threads, wanted, state.abort).then((found) => scanned(looked, wanted, found)))
    },
    texts: sentTexts,
    injection: (state) => {
      const scan = scanOf(state)
      if (scan !== null) return awaitedLater(scan.then(({ injection }) => injection))
      const thresholds = thresholdsOf(state)
      const rules = state.policy.effective.injection
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

const customOf = ({ policy }: CallState): Custom => policy.effective.sensitive_data.custom

function isLarge(texts: readonly string[]): boolean {
  return texts.reduce((sum, text) => sum + text.length, 0) > largeCall
}

export function thresholdsOf({ policy }: Pick<CallState, 'policy'>): TextsToScan['thresholds'] {
  const { flag_at: flagAt, block_at: blockAt } = policy.effective.injection
  return { flagAt, blockAt, decodeDepth: policy.effective.normalization.decode_depth }
}

/** What is made of several texts counts where it is sure. */
export function counts({ piece, result }: ScannedText): boolean {
  return piece.joined === undefined || result.verdict === 'block'
}

function toScan({ text, provenance, isAttached }: TextToScan): InjectionText {
  return { text, provenance, ...(isAttached && { isAttached }) }
}

interface Given {
  readonly sent: readonly CallText[]
  readonly looked: readonly TextToScan[]
}

function wantedOf(state: CallState, { sent, looked }: Given): TextsToScan {
  const { injection, sensitive_data: rules, content } = state.policy.effective
  const all = classMatters(state)
  const inspected = textsOf(state.call).filter(
    ({ provenance }) => all || (rules.enabled && inspects(rules, provenance)),
  )
  const patterns = content.denied_patterns
    .filter(({ on, action }) => on.includes('input') && action !== 'redact')
    .map(({ pattern }) => pattern)
  return {
    injection: injection.enabled ? looked.map(toScan) : [],
    thresholds: thresholdsOf(state),
    rules: injection,
    sensitive: [
      ...new Set([...inspected.map(({ text }) => text), ...(rules.enabled ? textsAcross(state.call, rules) : [])]),
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
