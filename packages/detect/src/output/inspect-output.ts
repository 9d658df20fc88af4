/**
 * Inspects what a model wrote before a person or a tool gets it: leaks of the system prompt, data carried out through
 * links, dangerous commands and code, hidden text.
 * Promises linear time, the same result for the same text and options, and that no text makes it throw; it changes
 * nothing. Tested in inspect-output.test.ts and beside each check.
 */
import { byPosition, type Finding } from '../base/finding.ts'
import { textViews, type View } from '../text/views.ts'
import type { OutputOptions } from './checks/options.ts'
import { type OutputVerdict, outputChecks, type Severity, verdictOf, worstSeverity } from './checks/rules.ts'
import { findForeignValues } from './foreign-values.ts'
import { type CanaryPlan, planCanaries, searchCanaries } from './leak/canary-search.ts'
import { type Leak, trackLeak } from './leak/prompt-leak.ts'
import { type PromptShingles, shinglePrompt } from './leak/prompt-shingles.ts'
import { createLocalChecks } from './local-checks.ts'

export type { OutputOptions } from './checks/options.ts'
export type { OutputChannel, OutputCheck, OutputType, OutputVerdict, Severity } from './checks/rules.ts'
export type { Leak } from './leak/prompt-leak.ts'

export interface OutputResult {
  /** In text order. */
  readonly findings: Finding[]
  /** How much of the system prompt was repeated; null without a system prompt long enough to tell. */
  readonly leak: Leak | null
  /** The gravest of all findings. */
  readonly severity: Severity
  /** `block` for high and critical, `flag` for medium. */
  readonly verdict: OutputVerdict
}

export interface OutputInspector {
  inspect(text: string): OutputResult
}

/** Inspects one text. Use `createOutputInspector` for several with the same options. */
export function inspectOutput(text: string, options: OutputOptions = {}): OutputResult {
  return createOutputInspector(options).inspect(text)
}

/** Prepares canaries, prompt and lists once. */
export function createOutputInspector(options: OutputOptions = {}): OutputInspector {
  const { canaries = [], systemPrompt, conversation, knownValues, channel = 'chat', checks = outputChecks } = options
  const local = createLocalChecks(options)
  const plan = checks.includes('canary') ? planCanaries(canaries) : undefined
  const shingles =
    systemPrompt !== undefined && checks.includes('prompt-leak') ? shinglePrompt(systemPrompt, conversation) : undefined
  return {
    inspect: (text) => {
      const findings: Finding[] = []
      local(text, findings)
      const leak = findLeaks(text, { plan, shingles }, findings)
      if (knownValues && checks.includes('foreign-values'))
        for (const finding of findForeignValues(text, knownValues)) findings.push(finding)
      const severity = worstSeverity(findings, channel)
      return { findings: findings.sort(byPosition), leak, severity, verdict: verdictOf(severity) }
    },
  }
}

interface Marks {
  readonly plan: CanaryPlan | undefined
  readonly shingles: PromptShingles | undefined
}

function findLeaks(text: string, { plan, shingles }: Marks, findings: Finding[]): Leak | null {
  if (!plan && !shingles) return null
  const found = plan ? searchCanaries(plan).feed(text) : []
  const direct = shingles ? leakIn(text, shingles) : undefined
  for (const finding of direct?.findings ?? []) found.push(finding)
  // Findings in the plain text make decoding unnecessary.
  const hidden =
    found.length > 0 ? [] : textViews(text).views.filter(({ kind }) => kind !== 'plain' && kind !== 'visible')
  const decoded = hidden.map((view) => leakInView(view, { plan, shingles }))
  for (const part of [found, ...decoded.map((each) => each.findings)])
    for (const finding of part) findings.push(finding)
  if (!direct) return null
  return [direct, ...decoded].reduce(
    (most, { leak }) => ({
      coverage: Math.max(most.coverage, leak.coverage),
      longest: Math.max(most.longest, leak.longest),
    }),
    noLeak,
  )
}

const noLeak: Leak = { coverage: 0, longest: 0 }

interface LeakPart {
  readonly findings: Finding[]
  readonly leak: Leak
}

function leakIn(text: string, shingles: PromptShingles): LeakPart {
  const tracker = trackLeak(shingles)
  const findings = [...tracker.feed(text), ...tracker.end()]
  return { findings, leak: tracker.leak() }
}

function leakInView(view: View, { plan, shingles }: Marks): LeakPart {
  const canaries = plan ? searchCanaries(plan).feed(view.text) : []
  const part = shingles ? leakIn(view.text, shingles) : { findings: [], leak: noLeak }
  const grave = part.findings
    .filter(({ score }) => score >= 0.8)
    .map((finding) => ({ ...finding, rule: 'prompt-decoded' }))
  const findings = [...canaries, ...grave].map((finding) => ({
    ...finding,
    ...view.toOriginal(finding.start, finding.end),
    via: view.via,
  }))
  return { findings, leak: part.leak }
}
