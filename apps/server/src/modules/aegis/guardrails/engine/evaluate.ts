/**
 * Asks the guardrails of a tenant about one call. Promises one decision whatever the order of the guardrails, that a check
 * which fails counts by its `on_error`, and that no wait is needed unless a rate has to be counted elsewhere. Tested in
 * evaluate.test.ts.
 */
import type { CheckOf } from '../declared/checks-schema.ts'
import type { GuardrailAction } from '../declared/words.ts'
import { applyChanges } from './apply.ts'
import { type Combined, combine, type Matched } from './combine.ts'
import { type EvaluationContext, sessionKeyOf } from './context.ts'
import { Facts, type KnownFindings, type Span } from './facts.ts'
import type { LiveSet, Running } from './live-set.ts'
import { isWithin } from './rollout.ts'

export interface Evaluation extends Combined {
  /** The arguments as they are to be used; those of the call where nothing changes them. */
  readonly args: unknown
}

/** How one guardrail was asked, for its metrics. */
export interface Asked {
  readonly guardrailId: string
  readonly version: number
  readonly action: GuardrailAction
  readonly matched: boolean
  readonly enforced: boolean
  readonly failed: boolean
  readonly us: number
}

/** Counts a call against a limit, and says whether the limit is exceeded. */
export type RateCounter = (rate: {
  readonly key: string
  readonly check: CheckOf<'rate_limit'>
  readonly cost: number
  readonly atMs: number
}) => boolean | Promise<boolean>

export interface EvaluateParts {
  readonly rates: RateCounter
  /** Milliseconds of a clock that never goes back. */
  readonly monotonic: () => number
  /** Of detectors that looked elsewhere before; the others look where the first check asks. */
  readonly found?: KnownFindings
  readonly observe?: (asked: Asked) => void
}

/** The decision about the call; a promise where a rate is counted elsewhere. */
export function evaluateGuardrails(
  set: LiveSet,
  context: EvaluationContext,
  parts: EvaluateParts,
): Evaluation | Promise<Evaluation> {
  const facts = new Facts(context, parts.found)
  const key = sessionKeyOf(context)
  const matched: Matched[] = []
  const waiting: Promise<Matched | null>[] = []
  for (const running of set[context.stage]) {
    const isIn = running.percent >= 100 || isWithin(running.percent, running.id, key)
    if (running.isBase && isIn) continue
    if (running.target !== null && !running.target(context)) continue
    const enforced = running.mode === 'enforce' && (running.isBase || isIn)
    const one = askOne(running, { facts, enforced, parts })
    if (one instanceof Promise) waiting.push(one)
    else if (one !== null) matched.push(one)
  }
  if (waiting.length === 0) return finished(matched, context)
  return Promise.all(waiting).then((late) =>
    finished([...matched, ...late.flatMap((one) => (one === null ? [] : [one]))], context),
  )
}

function finished(matched: readonly Matched[], { args }: EvaluationContext): Evaluation {
  const combined = combine(matched)
  return {
    ...combined,
    args: combined.decision === 'modify' || combined.decision === 'hold' ? applyChanges(args, combined) : args,
  }
}

interface Asking {
  readonly facts: Facts
  readonly enforced: boolean
  readonly parts: EvaluateParts
}

type Outcome = 'no' | 'yes' | 'failed'
type Counted = Exclude<Outcome, 'no'>

function askOne(running: Running, { facts, enforced, parts }: Asking): Matched | null | Promise<Matched | null> {
  const startedMs = parts.monotonic()
  const told = (outcome: Outcome): Matched | null => {
    const hit = outcome === 'no' ? null : hitOf(running, { outcome, enforced, facts })
    // One literal: an object put together of others is of a new hidden class each time.
    parts.observe?.({
      guardrailId: running.id,
      version: running.version,
      action: hit?.action ?? running.definition.action,
      matched: outcome === 'yes',
      enforced: hit?.enforced ?? false,
      failed: outcome === 'failed' || (hit?.failed ?? false),
      us: (parts.monotonic() - startedMs) * 1_000,
    })
    return hit
  }
  let holds: boolean
  try {
    holds = running.holds(facts)
  } catch {
    return told('failed')
  }
  if (!holds || running.rates.length === 0) return told(holds ? 'yes' : 'no')
  const exceeded = exceedsAll(running, facts.context, parts.rates)
  if (exceeded instanceof Promise)
    return exceeded.then(
      (is) => told(is ? 'yes' : 'no'),
      () => told('failed'),
    )
  return told(exceeded === null ? 'failed' : exceeded ? 'yes' : 'no')
}

interface Told {
  readonly outcome: Counted
  readonly enforced: boolean
  readonly facts: Facts
}

/** Null where a failed check is to be allowed. */
function hitOf(running: Running, { outcome, enforced, facts }: Told): Matched | null {
  const { on_error: onError, action } = running.definition
  if (outcome === 'failed' && onError === 'allow') return null
  if (outcome === 'failed')
    return matchOf(running, { action: onError === 'deny' ? 'deny' : 'monitor', enforced, failed: true })
  try {
    return matchOf(running, {
      action,
      enforced,
      failed: false,
      spans: action === 'redact' ? spansOf(running, facts) : [],
    })
  } catch {
    return hitOf(running, { outcome: 'failed', enforced, facts })
  }
}

const spansOf = ({ spans }: Running, facts: Facts): readonly Span[] => spans.flatMap((find) => find(facts))

interface Match {
  readonly action: GuardrailAction
  readonly enforced: boolean
  readonly failed: boolean
  readonly spans?: readonly Span[]
}

function matchOf(running: Running, { action, enforced, failed, spans = [] }: Match): Matched {
  const { id: guardrailId, name, kind, version, mode, definition } = running
  return {
    ...{ guardrailId, name, kind, version, mode, action, failed, spans },
    enforced: enforced && action !== 'monitor',
    reason: definition.message ?? `The guardrail ${name} does not allow this.`,
    ...{ tags: definition.tags, config: definition.action_config },
  }
}

/** Null where a rate cannot be counted. All rates are asked, so that each counts the call. */
function exceedsAll(
  running: Running,
  context: EvaluationContext,
  rates: RateCounter,
): boolean | null | Promise<boolean> {
  const answers: (boolean | Promise<boolean>)[] = []
  for (const [index, check] of running.rates.entries()) {
    const subject = subjectOf(check, context)
    // Without a subject to count, no limit is exceeded.
    if (subject === null) return false
    const key = `{${context.tenantId}}:guardrail:${running.id}:${index}:${subject}`
    const cost = check.measure === 'bytes' ? sizeOf(context) : 1
    try {
      answers.push(rates({ key, check, cost, atMs: context.atMs }))
    } catch {
      return null
    }
  }
  if (answers.every((answer) => typeof answer === 'boolean')) return answers.every(Boolean)
  return Promise.all(answers).then((all) => all.every(Boolean))
}

function subjectOf(
  { per }: CheckOf<'rate_limit'>,
  { agent, user, tool, server, session }: EvaluationContext,
): string | null {
  if (per === 'tool') return tool === null ? null : `${server?.slug ?? 'local'}/${tool.name}`.slice(0, 200)
  return { agent, user, session }[per]?.id ?? null
}

/** Bytes of the arguments, or of the texts, as UTF-8. */
function sizeOf({ args, texts }: EvaluationContext): number {
  if (args !== undefined) return Buffer.byteLength(JSON.stringify(args) ?? '')
  return (texts ?? []).reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
}
