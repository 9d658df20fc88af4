/**
 * Asks an external model only about texts that the built-in detector is unsure of.
 * Promises that outside the band nothing leaves the process, that every answer names the layer that decided, and that
 * a failing, slow or lying model ends in the chosen failure mode instead of an exception. Tested in cascade.test.ts.
 */
import { type Classifier, ClassifierError, type ClassifierFailure, untilAborted } from './classifier.ts'
import type { ScoreTable } from './score-table.ts'

export interface CascadeOptions {
  /** Built-in scores from `low` up to, not including, `high` are unsure. */
  readonly band: readonly [low: number, high: number]
  readonly classifier: Classifier
  /** From the model's probability to the scale of the built-in score. */
  readonly calibration: ScoreTable
  /** Without an answer: `open` keeps the built-in score, `closed` answers 1. */
  readonly onFailure: 'open' | 'closed'
  /** Milliseconds that the model may take. */
  readonly timeoutMs: number
  /** The external share of the decision inside the band, 0..1, blended in log-odds. Default 1. */
  readonly externalShare?: number
  /** Makes the signal that ends the wait. Default `AbortSignal.timeout`. */
  readonly deadline?: (milliseconds: number) => AbortSignal
}

export interface CascadeDecision {
  /** 0..1, on the scale of the built-in score. */
  readonly score: number
  readonly decidedBy: 'built-in' | 'external'
  /** Scores of the model, when it was asked and answered. */
  readonly external?: { readonly name: string; readonly raw: number; readonly calibrated: number }
  /** Why the model, though asked, gave no answer. */
  readonly failure?: ClassifierFailure
}

export interface Cascade {
  /** Rejects only when the caller's own signal aborts. */
  decide(text: string, builtInScore: number, signal?: AbortSignal): Promise<CascadeDecision>
}

/** @throws RangeError for a band, a share or a time limit that makes no sense. */
export function cascade(options: CascadeOptions): Cascade {
  checkOptions(options)
  const [low, high] = options.band
  return {
    decide: async (text, builtIn, signal) => {
      if (!(builtIn >= low && builtIn < high)) return { score: builtIn, decidedBy: 'built-in' }
      signal?.throwIfAborted()
      try {
        return combine(options, builtIn, await ask(options, text, signal))
      } catch (error) {
        signal?.throwIfAborted()
        const failure = reasonOf(error)
        return options.onFailure === 'open'
          ? { score: builtIn, decidedBy: 'built-in', failure }
          : { score: 1, decidedBy: 'external', failure }
      }
    },
  }
}

function checkOptions({ band: [low, high], timeoutMs, externalShare = 1 }: CascadeOptions): void {
  if (!(low >= 0 && low < high && high <= 1)) throw new RangeError('The band is two rising scores of 0 to 1.')
  if (!(timeoutMs > 0 && timeoutMs <= 600_000)) throw new RangeError('The time limit is 1 to 600,000 ms.')
  if (!(externalShare >= 0 && externalShare <= 1)) throw new RangeError('The external share is 0 to 1.')
}

async function ask(options: CascadeOptions, text: string, signal: AbortSignal | undefined): Promise<number> {
  const { classifier, timeoutMs, deadline = (ms) => AbortSignal.timeout(ms) } = options
  const limit = deadline(timeoutMs)
  const either = signal === undefined ? limit : AbortSignal.any([signal, limit])
  try {
    // Not every model heeds its signal; the caller must not wait for one that does not.
    const answer = await untilAborted(classifier.classify([text], either), either)
    return onlyProbability(answer)
  } catch (error) {
    if (limit.aborted) throw new ClassifierError('timeout', `No answer within ${timeoutMs} ms.`, { cause: error })
    throw error
  }
}

function onlyProbability(answer: readonly unknown[]): number {
  const raw: unknown = Array.isArray(answer) && answer.length === 1 ? answer[0] : undefined
  if (typeof raw === 'number' && raw >= 0 && raw <= 1) return raw
  throw new ClassifierError('invalid-answer', 'One text needs one probability of 0 to 1.')
}

function combine(options: CascadeOptions, builtIn: number, raw: number): CascadeDecision {
  const { calibration, classifier, externalShare = 1 } = options
  const calibrated = calibration.scoreOf(raw)
  return {
    score: externalShare === 1 ? calibrated : blend(builtIn, calibrated, externalShare),
    decidedBy: 'external',
    external: { name: classifier.name, raw, calibrated },
  }
}

/** Weighted mean of the log-odds: the scale on which evidence adds up. */
function blend(builtIn: number, external: number, share: number): number {
  const mean = (1 - share) * logOdds(builtIn) + share * logOdds(external)
  return 1 / (1 + Math.exp(-mean))
}

/** Kept finite: a model that says 0 or 1 may not silence the other one. */
function logOdds(score: number): number {
  const kept = Math.min(1 - 1e-6, Math.max(1e-6, score))
  return Math.log(kept / (1 - kept))
}

function reasonOf(error: unknown): ClassifierFailure {
  return error instanceof ClassifierError ? error.reason : 'unavailable'
}
