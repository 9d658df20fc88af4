/**
 * One object with every detector over one model and one set of rules.
 * Promises the same answer for the same text and pack, no I/O, no clock, no randomness, and that no text makes it throw.
 * It keeps no text. Working memory is its own: use one per thread. Tested in detector.test.ts.
 */
import { byPosition, type Channel, type Finding } from './base/finding.ts'
import { type Explanation, explanationOf } from './injection/explain.ts'
import { readModel } from './injection/model/asset.ts'
import { shippedModelBytes } from './injection/model/shipped.ts'
import { allRules } from './injection/packs/packs.ts'
import { type PolicyName, policies, type Thresholds, verdictOf } from './injection/policy.ts'
import type { Rule } from './injection/rules/rule.ts'
import { type Sanitized, type SanitizeOptions, sanitizeWith } from './injection/sanitize.ts'
import { createScanner, type ScanResult } from './injection/scanner.ts'
import { plantedTask } from './injection/task-mismatch.ts'
import { inspectOutput, type OutputOptions, type OutputResult } from './output/inspect-output.ts'
import { findPii, type PiiOptions } from './pii/find-pii.ts'
import { findSecrets, type SecretOptions } from './secrets/find-secrets.ts'

export interface DetectorOptions {
  /** A model file made by `npm run train`. Default the one that ships. */
  readonly model?: Uint8Array
  /** Rules besides the ones that ship. */
  readonly extraRules?: readonly Rule[]
}

export interface PromptOptions {
  /** Where the text comes from. Default `user`. */
  readonly channel?: Channel
  /** Named or own thresholds. Default `balanced`. */
  readonly policy?: PolicyName | Thresholds
  /** The user's request; an instruction in a document that has nothing to do with it is suspect. */
  readonly userTask?: string
  /** Layers of encoding that are undone, 0 to 3. Default 3; deeper layers are reported as `encoding-overflow`. */
  readonly decodeDepth?: number
}

/** A message of a conversation; its role says which channel it is. */
export interface Message {
  readonly role: 'user' | 'system' | 'developer' | 'assistant' | 'tool'
  readonly content: string
}

export interface Detector {
  /** Version of model and rules. */
  readonly pack: string
  scanPrompt(text: string | readonly Message[], options?: PromptOptions): ScanResult
  findPii(text: string, options?: PiiOptions): Finding[]
  findSecrets(text: string, options?: SecretOptions): Finding[]
  inspectOutput(text: string, options?: OutputOptions): OutputResult
  sanitize(text: string, options?: SanitizeOptions): Sanitized
  explain(text: string, options?: PromptOptions): Explanation
}

/**
 * Builds a detector: about 100 ms and 20 MB.
 * @throws ModelError when the given model cannot be used.
 */
export function createDetector({ model: file, extraRules = [] }: DetectorOptions = {}): Detector {
  const model = readModel(file ?? shippedModelBytes())
  const scanner = createScanner(model, [...allRules, ...extraRules])
  const scanText = (text: string, options: PromptOptions = {}): ScanResult => {
    const { channel = 'user', userTask, decodeDepth } = options
    const thresholds = thresholdsOf(options)
    const result = scanner.scan(text, { channel, thresholds, ...(decodeDepth !== undefined && { decodeDepth }) })
    return userTask === undefined ? result : withTask(result, plantedTask(text, userTask), thresholds)
  }
  return {
    pack: model.version,
    scanPrompt: (input, options) =>
      typeof input === 'string' ? scanText(input, options) : scanMessages(input, options, scanText),
    findPii,
    findSecrets,
    inspectOutput,
    sanitize: (text, options) => sanitizeWith(scanner, text, options),
    explain: (text, options = {}) =>
      explanationOf(
        scanner.details(text, { channel: options.channel ?? 'user', thresholds: thresholdsOf(options) }),
        model,
      ),
  }
}

function thresholdsOf({ policy = 'balanced' }: PromptOptions): Thresholds {
  return typeof policy === 'string' ? policies[policy] : policy
}

/** A planted task raises the score to its own; it never lowers one. */
function withTask(result: ScanResult, planted: Finding | undefined, thresholds: Thresholds): ScanResult {
  if (planted === undefined) return result
  const score = Math.max(result.score, planted.score)
  return {
    ...result,
    score,
    verdict: verdictOf(score, thresholds),
    families: [...new Set([...result.families, planted.type])].sort(),
    findings: [...result.findings, planted].sort(byPosition),
  }
}

const channelOfRole: Readonly<Record<Message['role'], Channel>> = {
  user: 'user',
  system: 'system',
  developer: 'system',
  assistant: 'model_output',
  tool: 'tool_result',
}

/** The worst message decides; positions count through all contents joined by line breaks. */
function scanMessages(
  messages: readonly Message[],
  options: PromptOptions | undefined,
  scan: (text: string, options: PromptOptions) => ScanResult,
): ScanResult {
  const offsets: number[] = []
  let length = 0
  for (const { content } of messages) {
    offsets.push(length)
    length += content.length + 1
  }
  const results = messages.map(({ role, content }) => scan(content, { ...options, channel: channelOfRole[role] }))
  const worst = results.reduce<ScanResult | undefined>(
    (most, one) => (one.score > (most?.score ?? -1) ? one : most),
    undefined,
  )
  if (worst === undefined) return scan('', { ...options })
  return {
    ...worst,
    families: [...new Set(results.flatMap(({ families }) => families))].sort(),
    findings: results.flatMap(({ findings }, i) => findings.map((finding) => shifted(finding, offsets[i] ?? 0))),
    truncated: results.some(({ truncated }) => truncated),
    work: {
      chars: results.reduce((sum, { work }) => sum + work.chars, 0),
      decoded_chars: results.reduce((sum, { work }) => sum + work.decoded_chars, 0),
      windows: results.reduce((sum, { work }) => sum + work.windows, 0),
    },
  }
}

const shifted = (finding: Finding, by: number): Finding => ({
  ...finding,
  start: finding.start + by,
  end: finding.end + by,
})
