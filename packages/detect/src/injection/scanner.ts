/**
 * Scores a text for attempts to override, extract or fake instructions, and for instructions where none belong.
 * Promises linear time, the same answer for the same model and text, and that nothing is thrown for any string.
 * Tested in scanner.test.ts; accuracy is measured by `detect-eval`.
 */
import { byPosition, type Channel, type Finding } from '../base/finding.ts'
import { textViews } from '../text/views.ts'
import type { InjectionModel } from './model/asset.ts'
import { audienceOf, scoreOf } from './model/calibration.ts'
import { type Hit, rulesAgree } from './model/evidence.ts'
import { createScratch } from './model/prefix-sums.ts'
import { type Head, heads, scoringHeads } from './model/weights.ts'
import { policies, type Thresholds, type Verdict, verdictOf } from './policy.ts'
import { type Reading, readViews, worstReading } from './readings.ts'
import { createRuleEngine } from './rules/engine.ts'
import type { Family, Rule } from './rules/rule.ts'

export interface ScanOptions {
  /** Where the text comes from. Default `user`. */
  readonly channel?: Channel
  /** Default the `balanced` policy. */
  readonly thresholds?: Thresholds
  /** Layers of encoding that are undone. Default 3. */
  readonly decodeDepth?: number
}

export interface ScanResult {
  /** Calibrated, 0..1, three decimals: 0.5 is reached by 1 % of harmless texts, 0.9 by 0.1 %. */
  readonly score: number
  readonly verdict: Verdict
  readonly families: string[]
  readonly findings: Finding[]
  /** Probabilities of the heads for the best window, 0..1, not calibrated. */
  readonly heads: Readonly<Record<Head, number>>
  /** Whether a limit was reached and part of the text or of its encodings went unread. */
  readonly truncated: boolean
  readonly work: { readonly chars: number; readonly decoded_chars: number; readonly windows: number }
  /** Version of the model and rules that decided. */
  readonly pack: string
}

export interface ScanDetails {
  readonly result: ScanResult
  readonly readings: readonly Reading[]
  /** The reading that decided. */
  readonly worst: Reading | undefined
  /** Of that reading, before what the channel says about it. */
  readonly logit: number
}

export interface Scanner {
  scan(text: string, options?: ScanOptions): ScanResult
  /** The same with everything the decision came from. */
  details(text: string, options?: ScanOptions): ScanDetails
}

const maxFindings = 128

/** A scanner of its own working memory; not for use from two threads at once. */
export function createScanner(model: InjectionModel, rules: readonly Rule[]): Scanner {
  const parts = { rules: createRuleEngine(rules), heads: scoringHeads(model.heads), scratch: createScratch() }

  const details = (text: string, options: ScanOptions = {}): ScanDetails => {
    const { channel = 'user', thresholds = policies.balanced, decodeDepth } = options
    const views = textViews(text, decodeDepth === undefined ? {} : { maxDepth: decodeDepth })
    const { readings, complete } = readViews(views, parts, channel)
    const worst = worstReading(readings, model.trees)
    const logit = worst?.logit ?? Number.NEGATIVE_INFINITY
    const limits = limitFindings(text, { flooded: !complete, overflow: views.overflow })
    const judged = { logit: logit + (priors[channel] ?? 0), characters: text.length }
    const learned = scoreOf(model.calibration, audienceOf(channel), judged)
    const score = text.length > longText && !readings.some(rulesAgree) ? Math.min(unconfirmed, learned) : learned
    const ruled = Math.max(0, ...readings.map(({ hits }) => ruledScore(hits)))
    const raised = limits.reduce((most, finding) => Math.max(most, finding.score), Math.max(ruled, rounded(score)))
    const found = findingsOf(readings, { worst: worst?.reading, score: raised, flagAt: thresholds.flag })
    const findings = [...found, ...limits].sort(byPosition)
    const result: ScanResult = {
      score: raised,
      verdict: verdictOf(raised, thresholds),
      families: [...new Set(findings.map(({ type }) => type))].sort(),
      findings: findings.slice(0, maxFindings),
      heads: headsOf(worst?.reading),
      truncated: views.truncated || !complete || findings.length > maxFindings,
      work: {
        chars: text.length,
        decoded_chars: views.decodedChars,
        windows: readings.reduce((sum, { scores }) => sum + scores.windows, 0),
      },
      pack: model.version,
    }
    return { result, readings, worst: worst?.reading, logit }
  }
  return { scan: (text, options) => details(text, options).result, details }
}

// To give the model a role, orders and secrets is what a system prompt is for; an attack that got into one says more.
const priors: Partial<Record<Channel, number>> = { system: -4 }

const rounded = (score: number): number => Math.round(score * 1_000) / 1_000

function headsOf(reading: Reading | undefined): Record<Head, number> {
  const logits = reading?.scores.best[1]?.heads ?? []
  const probability = (head: Head): number => rounded(1 / (1 + Math.exp(-(logits[heads.indexOf(head)] ?? -60))))
  return {
    attack: probability('attack'),
    leak: probability('leak'),
    jailbreak: probability('jailbreak'),
    indirect: probability('indirect'),
    about_security: probability('about_security'),
    request: probability('request'),
  }
}

// A thousand sentences have a worst one: a long text is flagged, but not blocked, by the looks of one sentence alone.
const longText = 2_000
const unconfirmed = 0.89

// Of 45,000 harmless texts none holds two strong rules of different families beside each other; 0.9 is one in a thousand.
const agreement = 0.9
const strong = 0.8
const beside = 300

// In languages that the scorer has hardly learned, a certain rule whose surroundings take nothing from it flags a prompt
// and keeps a document away.
const alone = 0.7

/** Score that rules give without the scorer; 0 where they decide nothing. */
function ruledScore(hits: readonly Hit[]): number {
  if (familiesAgree(hits)) return agreement
  return hits.some(({ weight, certain }) => certain && weight >= strong) ? alone : 0
}

/** Whether strong rules of two families agree, which decides however much harmless text stands around them. */
function familiesAgree(hits: readonly Hit[]): boolean {
  const sure = hits.filter(({ weight, certain }) => weight >= strong || certain).sort((a, b) => a.start - b.start)
  return sure.some((hit, i) => {
    const before = sure.slice(Math.max(0, i - 8), i)
    return before.some(({ family, start }) => family !== hit.family && hit.start - start <= beside)
  })
}

/** Text behind a limit was not read; a text that needs so many windows or encodings is itself suspect. */
function limitFindings(text: string, { flooded, overflow }: { flooded: boolean; overflow: boolean }): Finding[] {
  const whole = { detector: 'injection', start: 0, end: text.length, score: 0.5 } as const
  return [
    ...(flooded ? [{ ...whole, type: 'context-flooding', rule: 'limit-windows' }] : []),
    ...(overflow ? [{ ...whole, type: 'encoding-overflow', rule: 'limit-encodings' }] : []),
  ]
}

interface Decision {
  readonly worst: Reading | undefined
  readonly score: number
  readonly flagAt: number
}

const leastWeight = 0.3

function findingsOf(readings: readonly Reading[], { worst, score, flagAt }: Decision): Finding[] {
  const found = readings.flatMap((reading) =>
    reading.hits.filter(({ weight }) => weight >= leastWeight).map((hit) => ruleFinding(reading, hit)),
  )
  const unique = [
    ...new Map(found.map((finding) => [`${finding.rule} ${finding.start} ${finding.end}`, finding])).values(),
  ]
  return worst !== undefined && score >= flagAt ? [...unique, modelFinding(worst, score)] : unique
}

function ruleFinding({ view }: Reading, { id, family, start, end, weight }: Hit): Finding {
  return {
    detector: 'injection',
    type: family,
    ...view.toOriginal(start, end),
    score: rounded(weight),
    rule: id,
    ...(view.via.length > 0 && { via: view.via }),
    evidence: excerpt(view.text, start, end),
  }
}

/** The window the learned scorer objects to, under the family its heads name. */
function modelFinding(reading: Reading, score: number): Finding {
  const { view, scores } = reading
  const { start, end } = scores.best[0] ?? { start: 0, end: view.text.length }
  return {
    detector: 'injection',
    type: familyOf(reading),
    ...view.toOriginal(start, end),
    score,
    rule: 'model',
    ...(view.via.length > 0 && { via: view.via }),
    evidence: excerpt(view.text, start, end),
  }
}

function familyOf({ scores, hits }: Reading): Family {
  const [, leak = 0, jailbreak = 0, indirect = 0] = scores.best[1]?.heads ?? []
  const strongest = hits.reduce<Hit | undefined>(
    (best, hit) => (hit.weight > (best?.weight ?? 0.6) ? hit : best),
    undefined,
  )
  if (strongest !== undefined) return strongest.family
  const most = Math.max(leak, jailbreak, indirect)
  if (most < 0) return 'role-override'
  return most === leak ? 'instruction-leak' : most === jailbreak ? 'role-play-jailbreak' : 'indirect-instruction'
}

const excerptLength = 80

const excerpt = (text: string, start: number, end: number): string =>
  text.slice(start, Math.min(end, start + excerptLength)).toWellFormed()
