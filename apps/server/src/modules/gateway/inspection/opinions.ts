/**
 * Scores of outside classifiers for the texts of a call. The classifiers get only texts redacted by the policy, they
 * can raise a score and never lower one, each text is sent once, and a missing answer is reported and never counts as
 * consent. Tested in ../../classifier.test.ts.
 */

import { type Classifier, ClassifierError } from '@parapet/detect'
import type { Clock } from '../../../kernel/base/clock.ts'
import type { WithLife } from '../admission/call-life.ts'
import type { WithFacts } from '../call/facts.ts'
import type { Classifiers, KnownClassifier } from '../detection/classifiers/classifiers.ts'
import { createKnownScores, type KnownScores } from '../detection/classifiers/known-scores.ts'
import { limitsFor } from '../detection/detectors.ts'
import type { SensitiveFinder } from '../detection/finders.ts'
import { raisedBy, withoutAllowed } from '../detection/injection-rules.ts'
import type { ScannedText } from '../detection/looked-at.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import type { Opinion } from '../schemas/opinion.ts'
import { hideInText } from './sensitive-texts.ts'
import { thresholdsOf } from './wanted-texts.ts'

export interface Raised {
  readonly texts: readonly ScannedText[]
  /** Answers of the policy's classifiers. */
  readonly said: readonly Opinion[]
  /** A classifier required by the policy gave no answer. */
  readonly isMissing: boolean
  /** A text exceeds a classifier's limit; all others were inspected. */
  readonly isTooLong: boolean
}

export interface Opinions {
  /**
   * The texts with the scores of the classifiers of the call's policy. @throws the signal's reason after the call ended
   */
  raise(state: WithFacts & WithLife & WithPlan, scanned: readonly ScannedText[], find: SensitiveFinder): Promise<Raised>
}

interface Parts {
  readonly clock: Pick<Clock, 'monotonic'>
  readonly classifiers: Pick<Classifiers, 'find'>
}

interface Looked {
  readonly scanned: ScannedText
  /** The text as sent to a classifier. */
  readonly text: string
}

export function createOpinions(parts: Parts): Opinions {
  const known = createKnownScores(() => parts.clock.monotonic())
  return {
    raise: async (state, scanned, find) => {
      const looked = scanned.map((text) => ({ scanned: text, text: shownOf(state, text, find) }))
      const wanted = Object.entries(state.plan.policy.effective.injection.classifiers)
      const said = await Promise.all(
        wanted.map(([name, rule]) => opinionOf({ ...parts, known }, { state, looked, name, rule })),
      )
      return {
        said: said.map(({ opinion }) => opinion),
        texts: said.reduce<readonly ScannedText[]>((texts, one) => withScores(state, texts, one), scanned),
        isMissing: said.some(({ opinion }) => opinion.failure !== null),
        isTooLong: said.some(({ scores }) => scores.includes(null)),
      }
    },
  }
}

/** The classifier belongs to the operator and is not a provider, so it receives no more than a provider would. */
function shownOf({ plan: { policy } }: WithPlan, { piece }: ScannedText, find: SensitiveFinder): string {
  const { sensitive_data: rules, injection } = policy.effective
  return withoutAllowed(hideInText(piece, rules, find), injection)
}

interface Question {
  readonly state: WithFacts & WithLife
  readonly looked: readonly Looked[]
  readonly name: string
  readonly rule: { readonly timeout_ms: number }
}

interface Said {
  readonly opinion: Opinion
  readonly name: string
  /** Per text: undefined if it is not asked, null if the text is too long for it. */
  readonly scores: readonly (number | null | undefined)[]
}

type Remembering = Parts & { readonly known: KnownScores }

async function opinionOf(parts: Remembering, { state, looked, name, rule }: Question): Promise<Said> {
  const startedMs = parts.clock.monotonic()
  const classifier = parts.classifiers.find(name)
  const of = { tenantId: state.facts.tenantId, classifier: name }
  const open = looked.map((one) => isOpen(one, classifier?.askFrom ?? 0))
  const texts = [...new Set(looked.filter((_, index) => open[index]).map(({ text }) => text))]
  const unknown = texts.filter((text) => parts.known.get(of, text) === undefined)
  const raw = new Map<string, number | null | undefined>(texts.map((text) => [text, parts.known.get(of, text)]))
  let failure: Opinion['failure'] = null
  try {
    if (classifier === null) throw new ClassifierError('not-usable', 'There is none of this name.')
    const answers =
      unknown.length === 0 ? [] : await ask(classifier.within(rule.timeout_ms), unknown, state.life.abort.abortSignal)
    for (const [index, text] of unknown.entries()) {
      const score = answers[index]
      raw.set(text, score)
      if (typeof score === 'number') parts.known.set(of, text, score)
    }
  } catch (error) {
    state.life.abort.throwIfAborted()
    failure = error instanceof ClassifierError ? error.reason : 'unavailable'
  }
  const scores = looked.map(({ text }, index) => (open[index] ? calibrated(classifier, raw.get(text)) : undefined))
  const raised = looked.filter(({ scanned }, index) => (scores[index] ?? 0) > scanned.result.score).length
  const ms = Math.round((parts.clock.monotonic() - startedMs) * 1000) / 1000
  return { name, scores, opinion: { model: name, texts: texts.length, asked: unknown.length, raised, failure, ms } }
}

/** A blocked text cannot be raised further, and a text without letters says nothing. */
function isOpen({ scanned, text }: Looked, askFrom: number): boolean {
  return scanned.result.verdict !== 'block' && scanned.result.score >= askFrom && /\p{L}/u.test(text)
}

function calibrated(classifier: KnownClassifier | null, raw: number | null | undefined): number | null | undefined {
  return typeof raw === 'number' && classifier !== null ? classifier.calibration.scoreOf(raw) : raw
}

/** Null for a text that is too long. @throws ClassifierError, or the signal's reason */
async function ask(
  classifier: Classifier,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly (number | null)[]> {
  try {
    return await classifier.classify(texts, signal)
  } catch (error) {
    if (!(error instanceof ClassifierError && error.reason === 'too-long')) throw error
    if (texts.length === 1) return [null]
    // A text that it cannot read must not void its scores for all others.
    return (await Promise.all(texts.map((text) => ask(classifier, [text], signal)))).flat()
  }
}

function withScores(state: WithPlan, texts: readonly ScannedText[], { name, scores }: Said): readonly ScannedText[] {
  const thresholds = thresholdsOf(state)
  return texts.map(({ piece, result }, index) => {
    const score = scores[index]
    if (typeof score !== 'number') return { piece, result }
    const limits = limitsFor(piece, thresholds)
    return { piece, result: raisedBy(result, { name, score, length: piece.text.length }, limits) }
  })
}
