/**
 * Compiles a guardrail to closures. Promises that it is read completely before it runs and that each refusal names the
 * place that is meant. Pure. Tested in checks.test.ts.
 */
import type { Check, CheckOf } from '../declared/checks-schema.ts'
import type { Analysis, Definition } from '../declared/schema.ts'
import type { GuardrailAction, GuardrailKind } from '../declared/words.ts'
import { type CompiledCondition, celContext, compileCondition } from './cel-check.ts'
import type { EvaluationContext } from './context.ts'
import { compileDetector, type SpanFinder } from './detector-check.ts'
import type { Facts } from './facts.ts'
import { compileFlow, compileSequence } from './flow-check.ts'
import { allDetectors, type Looks, mergedLooks } from './look.ts'
import { GuardrailRefusal } from './refusal.ts'
import { compileSchema } from './schema-check.ts'
import { compileTarget } from './target.ts'

export interface Compiled {
  /** Null for all calls. */
  readonly target: ((context: EvaluationContext) => boolean) | null
  /** Checks that the call alone decides. @throws CelFault, CheckFault */
  readonly holds: (facts: Facts) => boolean
  /** Places of detector findings; of a guardrail that redacts. */
  readonly spans: readonly SpanFinder[]
  /** Asked last, because asking counts. */
  readonly rates: readonly CheckOf<'rate_limit'>[]
  /** Detectors that the checks ask. */
  readonly looks: Looks
  readonly analysis: Analysis
}

const stages: Readonly<Record<GuardrailKind, 'input' | 'output' | 'tool'>> = {
  ...{ input: 'input', output: 'output', tool: 'tool', flow: 'tool' },
}

/** The stage of a call at which guardrails of the kind are asked. */
export const stageOf = (kind: GuardrailKind): 'input' | 'output' | 'tool' => stages[kind]

/** Actions that change or hold arguments; there are none of a prompt. */
const ofToolsAlone: readonly GuardrailAction[] = ['transform', 'hold']

/** @throws GuardrailRefusal */
export function compileGuardrail(kind: GuardrailKind, definition: Definition): Compiled {
  refuseAction(kind, definition)
  const conditions: CompiledCondition[] = []
  const predicates: ((facts: Facts) => boolean)[] = []
  const spans: SpanFinder[] = []
  const rates: CheckOf<'rate_limit'>[] = []
  const looks: Looks[] = []
  for (const [index, check] of definition.checks.entries()) {
    const pointer = `/checks/${index}`
    refuseKind(kind, check, pointer)
    if (check.type === 'rate_limit') rates.push(check)
    else predicates.push(predicateOf(check, { pointer, conditions, spans, looks }))
  }
  if (definition.action === 'redact' && spans.length === 0) {
    const detail = 'Only what a detector finds can be redacted: add a check of the type detector.'
    throw new GuardrailRefusal('form', '/action', detail)
  }
  return {
    target: compileTarget(definition.target),
    holds: allOf(predicates),
    ...{ spans, rates, looks: mergedLooks(looks), analysis: analysisOf(definition, conditions) },
  }
}

type Predicate = (facts: Facts) => boolean

/** Most guardrails have one check. */
function allOf(predicates: readonly Predicate[]): Predicate {
  const [only] = predicates
  return only !== undefined && predicates.length === 1 ? only : (facts) => predicates.every((holds) => holds(facts))
}

interface Gathered {
  readonly pointer: string
  readonly conditions: CompiledCondition[]
  readonly spans: SpanFinder[]
  readonly looks: Looks[]
}

function predicateOf(
  check: Exclude<Check, { type: 'rate_limit' }>,
  { pointer, conditions, spans, looks }: Gathered,
): (facts: Facts) => boolean {
  switch (check.type) {
    case 'cel': {
      const condition = compileCondition(check.expression, `${pointer}/expression`)
      conditions.push(condition)
      if (condition.readsDetections) looks.push({ detectors: allDetectors, patterns: [] })
      return condition.holds
    }
    case 'json_schema':
      return compileSchema(check, pointer)
    case 'detector': {
      const detector = compileDetector(check, pointer)
      spans.push(detector.find)
      looks.push(detector.looks)
      return detector.holds
    }
    case 'flow': {
      const flows = compileFlow(check, pointer)
      return ({ context }) => flows(context)
    }
    case 'sequence': {
      const follows = compileSequence(check)
      return ({ context }) => follows(context)
    }
  }
}

const ofCallsAlone: ReadonlySet<Check['type']> = new Set(['json_schema', 'flow', 'sequence'])

function refuseKind(kind: GuardrailKind, { type }: Check, pointer: string): void {
  if (stageOf(kind) !== 'tool' && ofCallsAlone.has(type)) {
    const detail = `A check of the type ${type} is about calls of tools: use the kind tool or flow.`
    throw new GuardrailRefusal('form', `${pointer}/type`, detail)
  }
}

function refuseAction(kind: GuardrailKind, { action, action_config: config }: Definition): void {
  if (stageOf(kind) !== 'tool' && ofToolsAlone.includes(action))
    throw new GuardrailRefusal(
      'form',
      '/action',
      `The action ${action} is for calls of tools: use the kind tool or flow.`,
    )
  const { pointer } = config
  if (action === 'transform' && (pointer === undefined || !/^(?:\/(?:[^~]|~[01])*)+$/.test(pointer)))
    throw new GuardrailRefusal(
      'form',
      '/action_config/pointer',
      'The action transform needs a JSON Pointer, as in /limit.',
    )
  if (action === 'transform' && config.value === undefined)
    throw new GuardrailRefusal('form', '/action_config/value', 'The action transform needs the value to put there.')
}

function analysisOf({ checks }: Definition, conditions: readonly CompiledCondition[]): Analysis {
  const fields = [...new Set(conditions.flatMap(({ names }) => [...names]))].toSorted()
  const nodes = conditions.reduce((sum, { size }) => sum + size.nodes, 0)
  const isHigh = checks.some(
    ({ type, ...check }) => type === 'detector' && 'detector' in check && check.detector !== 'pattern',
  )
  return {
    expressions: conditions.length,
    nodes,
    depth: Math.max(0, ...conditions.map(({ size }) => size.depth)),
    cost_class: isHigh ? 'high' : nodes > 40 || checks.some(({ type }) => type === 'detector') ? 'medium' : 'low',
    fields,
    unused_fields: Object.keys(celContext).filter((name) => !fields.includes(name)),
  }
}
