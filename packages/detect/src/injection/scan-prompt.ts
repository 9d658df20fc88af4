/**
 * Scores a text for attempts to override, extract or fake instructions.
 * Promises linear time and the same answer for the same pack; it reads words, not meaning, so a paraphrase no rule
 * names passes. Tested in scan-prompt.test.ts.
 */
import { byPosition, type Channel, type Finding } from '../finding.ts'
import { normalize } from '../text/normalize.ts'
import { decodedRuns } from './decode.ts'
import { channelFactor, guardFactor } from './guards.ts'
import { defaultPack } from './pack.ts'

export interface ScanOptions {
  /** Where the text comes from. Default `user`. */
  readonly channel?: Channel
  /** Score from which the verdict is `flag`. Default 0.5. */
  readonly flagAt?: number
  /** Score from which the verdict is `block`. Default 0.9. */
  readonly blockAt?: number
}

export interface ScanResult {
  /** 0..1, three decimals. */
  readonly score: number
  readonly verdict: 'allow' | 'flag' | 'block'
  readonly families: string[]
  readonly findings: Finding[]
  /** Version of the rules that decided. */
  readonly pack: string
  /** Whether a limit was reached and part of the text went unread. */
  readonly truncated: boolean
}

const maxDepth = 2
const maxDecoded = 262_144
const maxFindings = 128

/** Scans a prompt, document, tool text or answer; positions are UTF-16 offsets in `text`. */
export function scanPrompt(
  text: string,
  { channel = 'user', flagAt = 0.5, blockAt = 0.9 }: ScanOptions = {},
): ScanResult {
  const scan: Scan = { channel, findings: [], complete: true, budget: maxDecoded }
  scanView(text, scan, [])
  if (!scan.complete) scan.findings.push(flooding(text.length))
  const score = combine(scan.findings)
  return {
    score,
    verdict: score >= blockAt ? 'block' : score >= flagAt ? 'flag' : 'allow',
    families: [...new Set(scan.findings.map((finding) => finding.type))].sort(),
    findings: scan.findings.sort(byPosition).slice(0, maxFindings),
    pack: defaultPack().version,
    truncated: !scan.complete || scan.findings.length > maxFindings,
  }
}

/** A text that triggers more rules than any honest one is itself suspect: what lies behind the flood was not read. */
const flooding = (end: number): Finding => ({
  detector: 'injection',
  type: 'context-flooding',
  start: 0,
  end,
  score: 0.5,
  rule: 'limit-windows',
})

interface Scan {
  readonly channel: Channel
  readonly findings: Finding[]
  complete: boolean
  budget: number
}

interface Layer {
  readonly step: 'base64' | 'hex'
  readonly start: number
  readonly end: number
}

function scanView(text: string, scan: Scan, layers: readonly Layer[]): void {
  const view = normalize(text)
  const { hits, complete } = defaultPack().match(view.text)
  scan.complete &&= complete
  const outer = layers[0]
  for (const hit of hits) {
    const own = view.toOriginal(hit.start, hit.end)
    const via = [...layers.map(({ step }) => step), ...disguises(text.slice(own.start, own.end))]
    const score = rounded(hit.rule.weight * guardFactor(view.text, hit, scan.channel) * channelFactor(scan.channel))
    const { start, end } = outer ?? own
    scan.findings.push({
      detector: 'injection',
      type: hit.rule.family,
      start,
      end,
      score,
      rule: hit.rule.id,
      ...(via.length > 0 && { via }),
    })
  }
  if (layers.length < maxDepth) scanDecoded(text, scan, layers)
}

function scanDecoded(text: string, scan: Scan, layers: readonly Layer[]): void {
  const { found, complete } = decodedRuns(text)
  scan.complete &&= complete
  for (const { text: inner, step, start, end } of found) {
    if (inner.length > scan.budget) {
      scan.complete = false
      return
    }
    scan.budget -= inner.length
    scanView(inner, scan, [...layers, { step, start, end }])
  }
}

/** How the matched text was hidden from a reader. */
function disguises(original: string): string[] {
  const found: string[] = []
  if (/[\u{e0020}-\u{e007e}]/u.test(original)) found.push('tag-characters')
  if (/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/.test(original)) found.push('zero-width')
  return found
}

/** Noisy-or over rules, each counted once at its strongest: 1 - Π(1 - w). */
function combine(findings: readonly Finding[]): number {
  const best = new Map<string, number>()
  for (const { rule = '', score } of findings) best.set(rule, Math.max(best.get(rule) ?? 0, score))
  return rounded(1 - [...best.values()].reduce((rest, weight) => rest * (1 - weight), 1))
}

const rounded = (score: number): number => Math.round(score * 1000) / 1000
