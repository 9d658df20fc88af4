/**
 * A tenant's own injection rules: phrases that are harmless here, rules in addition to the built-in ones, families that
 * do not count. Phrases are removed before detection, positions stay those of the original text, and excluding a family
 * can only lower a score. Tested in injection-rules.test.ts.
 */
import { type Finding, normalize } from '@parapet/detect'
import type { ScanResult } from './detectors.ts'
import { matchesIn } from './tenant-patterns.ts'

export interface InjectionRules {
  readonly allow_patterns: readonly string[]
  readonly extra_rules: readonly {
    readonly id: string
    readonly family: string
    readonly pattern: string
    readonly weight: number
  }[]
  /** Families that count; a family not listed counts. */
  readonly families: Readonly<Record<string, boolean>>
}

export const noInjectionRules: InjectionRules = { allow_patterns: [], extra_rules: [], families: {} }

/** The text with every harmless phrase replaced by blanks of its length. */
export function withoutAllowed(text: string, { allow_patterns: patterns }: InjectionRules): string {
  let shown = text
  for (const pattern of patterns) {
    for (const { start, end } of matchesIn(text, pattern)) {
      shown = shown.slice(0, start) + ' '.repeat(end - start) + shown.slice(end)
    }
  }
  return shown
}

/** Scores from which a text is flagged and blocked. */
export interface ScoreLimits {
  readonly flag: number
  readonly block: number
  /** A score alone flags at most: a rule or an outside classifier must agree before the text is blocked. */
  readonly needsAgreement?: boolean
}

/** The detectors' result with the tenant's rules added and its switched-off families taken out. */
export function underRules(
  result: ScanResult,
  text: string,
  { rules, thresholds }: { readonly rules: InjectionRules; readonly thresholds: ScoreLimits },
): ScanResult {
  const extra = extraFindings(text, rules)
  const added = extra.length === 0 ? result : withFindings(result, [...result.findings, ...extra])
  const counted = added.findings.filter(({ type }) => rules.families[type] !== false)
  if (counted.length === added.findings.length) return judged(added, added.score, thresholds)
  // A rule's weight is its confidence alone; several rules never gave a higher one than the total score.
  const surest = counted.reduce((most, { score }) => Math.max(most, score), 0)
  return judged(withFindings(added, counted), Math.min(added.score, surest), thresholds)
}

function withFindings(result: ScanResult, findings: readonly Finding[]): ScanResult {
  const score = findings.reduce(
    (most, { rule, score: own }) => (isExtra(rule) ? Math.max(most, own) : most),
    result.score,
  )
  const families = [...new Set(findings.map(({ type }) => type))].sort()
  return { ...result, score, families, findings: [...findings] }
}

const extraPrefix = 'policy:'
const isExtra = (rule: string | undefined): boolean => rule?.startsWith(extraPrefix) ?? false

function judged(result: ScanResult, score: number, { flag, block, needsAgreement }: ScoreLimits): ScanResult {
  const isSure = score >= block && (needsAgreement !== true || result.findings.some(agrees))
  return { ...result, score, verdict: isSure ? 'block' : score >= Math.min(flag, block) ? 'flag' : 'allow' }
}

/** The learned scorer and the limits of the scan only report that a text is unusual, not which instruction it gives. */
function agrees({ rule = 'model' }: Finding): boolean {
  return rule !== 'model' && !rule.startsWith('limit-')
}

/** Score of a text from an outside classifier. */
export interface OutsideScore {
  readonly name: string
  readonly score: number
  /** Length of the text. */
  readonly length: number
}

/**
 * The result with the score of an outside classifier if that score is higher, or if its agreement is required for a
 * block; otherwise the same result.
 */
export function raisedBy(result: ScanResult, { name, score, length }: OutsideScore, limits: ScoreLimits): ScanResult {
  const isAgreement = score >= limits.block && result.verdict !== 'block'
  if (score <= result.score && !isAgreement) return result
  if (score < limits.flag) return judged(result, score, limits)
  const finding: Finding = {
    detector: 'injection',
    type: classifierFamily,
    start: 0,
    end: length,
    score,
    rule: `classifier:${name}`,
  }
  const families = [...new Set([...result.families, classifierFamily])].sort()
  return judged({ ...result, families, findings: [...result.findings, finding] }, Math.max(score, result.score), limits)
}

/** Used in place of a rule family: a classifier does not report the kind of attack. */
const classifierFamily = 'classifier'

/** Searched in the text as it is and in its normalized view, so that unusual characters hide nothing. */
function extraFindings(text: string, { extra_rules: rules }: InjectionRules): readonly Finding[] {
  if (rules.length === 0) return []
  const view = normalize(text)
  return rules.flatMap(({ id, family, pattern, weight }) => {
    const plain = matchesIn(text, pattern)
    const folded =
      plain.length > 0 ? [] : matchesIn(view.text, pattern).map(({ start, end }) => view.toOriginal(start, end))
    return [...plain, ...folded].map(
      ({ start, end }): Finding => ({
        detector: 'injection',
        type: family,
        start,
        end,
        score: weight,
        rule: `${extraPrefix}${id}`,
      }),
    )
  })
}
