/**
 * Single entry point to the detectors of `@parapet/detect` for the texts of a call: their inputs and the results for
 * the gateway. All functions are pure, so a thread and the event loop get the same findings. Findings state the
 * position and kind but contain no text, so they may be kept longer than the text. Streams of an answer are inspected
 * in step 12. Tested through the steps.
 */

import {
  type Channel,
  createDetector,
  type Detector,
  type Finding,
  type ScanResult as FullScanResult,
  findPii,
  findSecrets,
  policies,
} from '@parapet/detect'
import type { Activity } from '../../../kernel/lifecycle/activity.ts'
import type { Provenance } from '../call/texts/texts.ts'
import { type CustomRecognizer, findCustom } from './custom-entities.ts'
import {
  type InjectionRules,
  noInjectionRules,
  type ScoreLimits,
  underRules,
  withoutAllowed,
} from './injection-rules.ts'

/** Fields used in decisions about a text; the detectors keep the reasoning. */
export type ScanResult = Pick<FullScanResult, 'score' | 'verdict' | 'families' | 'findings' | 'truncated' | 'pack'>

export interface InjectionText {
  readonly text: string
  readonly provenance: Provenance
  /** From a document or an image, and not typed. */
  readonly isAttached?: true
}

export interface InjectionThresholds {
  readonly flagAt: number
  readonly blockAt: number
  /** Layers of encoding to decode; the detectors' maximum when absent. */
  readonly decodeDepth?: number
}

const channelOf: Readonly<Record<Provenance, Channel>> = {
  user: 'user',
  system: 'system',
  assistant: 'model_output',
  tool_result: 'tool_result',
  tool_description: 'tool_description',
}

let built: Detector | undefined

/** The detector of this thread: building it takes a fifth of a second, so the server does so before it listens. */
export function detector(): Detector {
  built ??= createDetector()
  return built
}

/** Builds the detector at startup, before the first call needs it. */
export const detection: Activity = {
  name: 'detection',
  start: async () => {
    detector()
  },
  stop: async () => {},
}

/**
 * Score limits above which a text of this origin is flagged and blocked. Data not typed by a person needs more than a
 * score.
 */
export function limitsFor(
  { provenance, isAttached }: Omit<InjectionText, 'text'>,
  { flagAt, blockAt }: InjectionThresholds,
): ScoreLimits {
  // Removing a sentence from such data costs less than refusing a call, so less certainty is needed.
  const fromOutside = provenance === 'tool_result' || provenance === 'tool_description'
  const block = fromOutside ? Math.min(blockAt, policies['untrusted-content'].block) : blockAt
  const needsAgreement = provenance === 'tool_result' || isAttached === true
  return { flag: Math.min(flagAt, block), block, needsAgreement }
}

/** Likelihood that the text gives instructions that do not belong in its place. */
export function scanInjection(
  piece: InjectionText,
  thresholds: InjectionThresholds,
  rules: InjectionRules = noInjectionRules,
): ScanResult {
  const { text, provenance } = piece
  const limits = limitsFor(piece, thresholds)
  const looked = withoutAllowed(text, rules)
  const { decodeDepth } = thresholds
  const depth = decodeDepth === undefined ? {} : { decodeDepth }
  const full = detector().scanPrompt(looked, { channel: channelOf[provenance], policy: limits, ...depth })
  const { score, verdict, families, findings, truncated, pack } = full
  const result = { score, verdict, families, findings: findings.map(withoutExcerpt), truncated, pack }
  return underRules(result, looked, { rules, thresholds: limits })
}

function withoutExcerpt({ detector: by, type, start, end, score, rule, country, via }: Finding): Finding {
  return {
    ...{ detector: by, type, start, end, score },
    ...(rule !== undefined && { rule }),
    ...(country !== undefined && { country }),
    ...(via !== undefined && { via }),
  }
}

/** All personal data and secrets in the text, at any confidence; policies set which of them count. */
export function findSensitive(text: string, custom: readonly CustomRecognizer[] = []): readonly Finding[] {
  const found = [...findPii(text, { minScore: 0 }), ...findSecrets(text)]
  return [...found.map(withoutExcerpt), ...findCustom(text, custom)]
}

/** Personal data in an answer at or above the wanted confidence, and secrets at the detectors' own confidence. */
export function findInAnswer(
  text: string,
  wanted: { readonly personal: readonly string[]; readonly secrets: boolean; readonly minScore: number },
): readonly Finding[] {
  const personal =
    wanted.personal.length > 0 ? findPii(text, { types: wanted.personal, minScore: wanted.minScore }) : []
  return [...personal, ...(wanted.secrets ? findSecrets(text) : [])]
}

export type { Finding }
