/** Definitions from requests, checked and compiled; refusals become errors. Tested in rules.test.ts. */
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { ProblemError } from '../../../kernel/errors/problem.ts'
import { errors } from '../errors/errors.ts'
import type { Definition, NewRule, PatchRule, RuleRow } from './declared/schema.ts'
import type { Category, RuleType } from './declared/words.ts'
import { RuleRefusal } from './engine/base/refusal.ts'
import { type CompiledRule, compileRule } from './engine/compile.ts'
import { isTag } from './tags/tags.ts'

export interface Compiled {
  readonly definition: Definition
  readonly compiled: CompiledRule
}

/** @throws API-001, AEGIS-004, AEGIS-013 */
export function newDefinition(input: NewRule & { readonly type: RuleType; readonly category: Category }): Compiled {
  const { sources, condition = null, detection = null, category } = input
  if (sources !== undefined && (condition !== null || detection !== null))
    throw invalid('Give either sources, or one condition or detection.', '/sources')
  return checked({
    type: input.type,
    sources: sources ?? [{ name: 'event', category, condition, detection }],
    group_by: input.group_by ?? [],
    window_seconds: input.window_seconds ?? null,
    threshold: input.threshold ?? null,
    field: input.field ?? null,
    correlation: input.correlation ?? null,
  })
}

/** The definition with a patch applied; null if it changes nothing of it. @throws API-001, AEGIS-004, AEGIS-013 */
export function patchedDefinition({ definition }: RuleRow, patch: PatchRule): Compiled | null {
  const { condition, detection, group_by, window_seconds, threshold, field } = patch
  const given = { group_by, window_seconds, threshold, field }
  const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const isOther = condition !== undefined || detection !== undefined
  if (!isOther && Object.keys(changes).length === 0) return null
  return checked({
    ...definition,
    ...changes,
    sources: isOther ? patchedSources(definition, patch) : definition.sources,
  })
}

/** A condition takes the place of a detection, and the other way round. */
function patchedSources({ sources }: Definition, { condition, detection }: PatchRule): Definition['sources'] {
  const [only] = sources
  if (only === undefined || sources.length > 1)
    throw invalid('The rule brings several conditions together; create another rule instead.', '/condition')
  const isCondition = typeof condition === 'string'
  const isDetection = detection !== undefined && detection !== null
  if (isCondition && isDetection) throw invalid('Give either a condition or a detection.', '/detection')
  return [
    {
      ...only,
      condition: isCondition ? condition : isDetection ? null : condition === null ? null : only.condition,
      detection: isDetection ? detection : isCondition ? null : detection === null ? null : only.detection,
    },
  ]
}

function checked(definition: Definition): Compiled {
  try {
    return { definition, compiled: compileRule(definition) }
  } catch (error) {
    if (error instanceof RuleRefusal) throw problemOf(error)
    throw error
  }
}

/** @throws API-001 for tags that are in no list and have no namespace */
export function refuseUnknownTags(tags: readonly string[]): void {
  const faults = tags.flatMap((tag, index) =>
    isTag(tag)
      ? []
      : [{ detail: `${tag} is no tag of OWASP or ATLAS and has no namespace.`, pointer: `/tags/${index}` }],
  )
  if (faults.length > 0) throw apiErrors.validation({ what: 'A tag is unknown.' }).at(faults)
}

function problemOf({ construct, pointer, message, kind }: RuleRefusal): ProblemError {
  const isForm = kind === 'expression' || ['window_seconds', 'threshold', 'field', 'correlation'].includes(construct)
  const error = isForm
    ? errors.invalidExpression({ what: message })
    : errors.unsupportedRule({ construct, what: message })
  return error.at([{ detail: message, pointer }])
}

const invalid = (detail: string, pointer: string): ProblemError =>
  apiErrors.validation({ what: detail }).at([{ detail, pointer }])
