/**
 * Detector findings in the texts of a call. Small calls are inspected in place, when a step asks; large ones in a
 * thread, started as soon as the texts are known, so that the event loop is not blocked. Both ways give the same
 * findings, and texts and findings are released with their call. Tested in analyses.test.ts.
 */

import type { AbortWatch } from '../../../kernel/base/abort.ts'
import type { Threads } from '../../../kernel/threads/threads.ts'
import type { WithLife } from '../admission/call-life.ts'
import type { WithFacts } from '../call/facts.ts'
import type { CallText } from '../call/texts/texts.ts'
import type { Writes } from '../call/writes.ts'
import type { CustomRecognizer } from '../detection/custom-entities.ts'
import { detector } from '../detection/detectors.ts'
import type { PatternFinder, SensitiveFinder } from '../detection/finders.ts'
import { textsToScan } from '../detection/joined-texts.ts'
import type { ScannedText } from '../detection/looked-at.ts'
import { everyPatternLook, injectionLook, patternLook, sensitiveLook } from '../detection/looks.ts'
import type { FindingMemory } from '../detection/memory/finding-memory.ts'
import { createKnownFindings, type KnownFindings } from '../detection/memory/known-findings.ts'
import { type ScannedTexts, scanTexts, type TextsToScan } from '../detection/scan-texts.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import type { CompiledPolicy } from '../policy/compile.ts'
import { hideAnswer } from './hide-task.ts'
import type { PatternSearch } from './pattern-search.ts'
import { hideInAnswer } from './sensitive-texts.ts'
import { learn, textsIn, unknownOf } from './unknown-texts.ts'
import { nothingWanted, thresholdsOf, wantedOf } from './wanted-texts.ts'

export interface Analyses extends PatternSearch {
  /** Stores the texts as the caller sent them. */
  keep(state: WithFacts & WithPlan & Writes<WithPlan>, texts: readonly CallText[]): void
  /** Begins to inspect the unknown texts of a large call, in their current form. */
  begin(state: WithLife & WithPlan): void
  /** The texts as the caller sent them. */
  texts(state: WithPlan): readonly CallText[]
  /** Known findings in the texts of the call. */
  known(state: WithPlan): KnownFindings
  /** Includes results for joined texts. @throws Error if the thread failed */
  injection(state: WithPlan): readonly ScannedText[] | Promise<readonly ScannedText[]>
  /** Returns a finder for the texts of the call. @throws Error if the thread failed */
  sensitive(state: WithPlan): SensitiveFinder | Promise<SensitiveFinder>
  /**
   * Returns a finder for the policy's patterns in the texts as the caller sent them. @throws Error if the thread failed
   */
  patterns(state: WithPlan): PatternFinder | Promise<PatternFinder>
  /**
   * Returns a finder for the record of a call, which is also written if the call is already over or ended before its
   * policy was known.
   * @throws Error as above
   */
  forRecord(state: WithPlan, texts: readonly string[], custom?: Custom): SensitiveFinder | Promise<SensitiveFinder>
  /** Texts of an answer in storable form. @throws Error as above */
  hideInAnswer(texts: readonly string[], policy: Rules): readonly string[] | Promise<readonly string[]>
}

/** A compiled policy. */
type Rules = Pick<CompiledPolicy, 'effective' | 'rules'>

type Custom = readonly CustomRecognizer[]

/** Characters from which a call would block the event loop for more than 5 ms. */
export const largeCall = 32_768

/**
 * A megabyte takes less than a second, and starting the first thread somewhat longer; a longer wait means that the
 * machine is overloaded.
 */
const scanLimitMs = 30_000

/** For the largest answer, queued behind others; only the last byte of the answer waits for the record. */
const hideLimitMs = 60_000

/** A step that inspects texts may wait for a thread and then for outside models, each of which has its own limit. */
export const longestLookMs = 60_000

interface AnalysesParts {
  readonly threads: Threads
  /** Null if nothing is remembered across calls. */
  readonly memory: FindingMemory | null
}

export function createAnalyses({ threads, memory }: AnalysesParts): Analyses {
  return {
    keep: (state, texts) => {
      state.write({ plan: { lookedAt: { texts, known: knownFor(state, memory), scan: null } } })
    },
    begin: (state) => {
      const kept = state.plan.lookedAt
      if (kept === null) return
      const looked = textsToScan(kept.texts)
      if (!isLarge(looked.map(({ text }) => text))) return
      const unknown = unknownOf(wantedOf(state, { sent: kept.texts, looked }), kept.known)
      if (!isLarge(textsIn(unknown))) return
      kept.scan = awaitedLater(
        runScan(threads, unknown, state.life.abort).then((found) => learn(kept.known, unknown, found)),
      )
    },
    texts: sentTexts,
    known: knownOf,
    injection: (state) => afterScan(state, (known) => injectionIn(state, known)),
    sensitive: (state) => afterScan(state, (known) => finderOf(known, customOf(state))),
    patterns: (state) => afterScan(state, (known) => patternFinderOf(known, patternLook)),
    everyPattern: (state, patterns, texts) => {
      const known = knownOf(state)
      const find = patternFinderOf(known, everyPatternLook)
      const unknown = unknownOf({ ...nothingWanted, patterns, matched: [...new Set(texts)], every: true }, known)
      if (!isLarge(unknown.matched)) return find
      return awaitedLater(
        runScan(threads, unknown, null).then((found) => {
          learn(known, unknown, found)
          return find
        }),
      )
    },
    forRecord: (state, texts, custom = customOf(state)) => {
      const known = custom === customOf(state) ? knownOf(state) : createKnownFindings(null)
      return isLarge(texts) ? recordFinder(threads, state, { texts, custom, known }) : finderOf(known, custom)
    },
    hideInAnswer: hiderWith(threads),
  }
}

function hiderWith(threads: Threads): Analyses['hideInAnswer'] {
  return (texts, policy) =>
    isLarge(texts)
      ? threads.run(hideAnswer, { texts, policy: policy.effective }, { limitMs: hideLimitMs })
      : texts.map((text) => hideInAnswer(text, policy))
}

const sentTexts = (state: WithPlan): readonly CallText[] => state.plan.lookedAt?.texts ?? []

const knownOf = (state: WithPlan): KnownFindings => state.plan.lookedAt?.known ?? createKnownFindings(null)

/** Texts for embedding come only once: remembering them would evict texts that come again. */
function knownFor(
  { facts, plan: { call, policy } }: WithFacts & WithPlan,
  memory: FindingMemory | null,
): KnownFindings {
  if (memory === null || call.embed !== null) return createKnownFindings(null)
  return createKnownFindings(memory.under(facts.tenantId, `${detector().pack} ${policy.sha256}`))
}

/** Immediately if no thread is inspecting. */
function afterScan<T>(state: WithPlan, use: (known: KnownFindings) => T): T | Promise<T> {
  const known = knownOf(state)
  const scan = state.plan.lookedAt?.scan ?? null
  return scan === null ? use(known) : awaitedLater(scan.then(() => use(known)))
}

function injectionIn(state: WithPlan, known: KnownFindings): readonly ScannedText[] {
  const [thresholds, rules] = [thresholdsOf(state), state.plan.policy.effective.injection]
  return textsToScan(sentTexts(state)).map((piece) => ({
    piece,
    result: known.find(injectionLook(piece, thresholds, rules), piece.text),
  }))
}

/**
 * Errors are handled by the later awaiter of the promise. If the call ends first there is none, and an unhandled
 * rejection must not end the process.
 */
export function awaitedLater<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined)
  return work
}

const customOf = ({ plan: { policy } }: WithPlan): Custom => policy.effective.sensitive_data.custom

function isLarge(texts: readonly string[]): boolean {
  return texts.reduce((sum, text) => sum + text.length, 0) > largeCall
}

/** Results for joined texts count only if they are certain. */
export function counts({ piece, result }: ScannedText): boolean {
  return piece.joined === undefined || result.verdict === 'block'
}

async function runScan(threads: Threads, wanted: TextsToScan, signal: AbortWatch | null): Promise<ScannedTexts> {
  try {
    return await threads.run(scanTexts, wanted, { limitMs: scanLimitMs, ...(signal !== null && { signal }) })
  } catch (cause) {
    // An overload is a failure of the step, and the policy decides its effect; it is not an answer to the caller.
    throw new Error('The texts could not be looked at', { cause })
  }
}

/** A new text, such as a notice that replaces another text, is short and inspected in place. */
function finderOf(known: KnownFindings, custom: Custom): SensitiveFinder {
  const look = sensitiveLook(custom)
  return (text) => known.find(look, text)
}

function patternFinderOf(known: KnownFindings, look: typeof patternLook): PatternFinder {
  return (text, pattern) => known.find(look(pattern), text)
}

interface RecordTexts {
  readonly texts: readonly string[]
  readonly custom: Custom
  readonly known: KnownFindings
}

/** Continues with the findings made for the steps so far. */
async function recordFinder(
  threads: Threads,
  state: WithPlan,
  { texts, custom, known }: RecordTexts,
): Promise<SensitiveFinder> {
  await state.plan.lookedAt?.scan?.catch(() => undefined)
  const unknown = unknownOf({ ...nothingWanted, sensitive: [...new Set(texts)], custom }, known)
  if (isLarge(unknown.sensitive)) learn(known, unknown, await runScan(threads, unknown, null))
  return finderOf(known, custom)
}
