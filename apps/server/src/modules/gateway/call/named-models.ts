/**
 * Other models that a call names for its provider to use: as fallbacks, in turn, or for a tool that runs there. Only
 * the vendor understands these members, but the code that decides which models may be used must see them. Pure. Tested
 * in ../named-models.test.ts.
 */
import type { CanonicalCall } from './call.ts'
import { toolsBeside } from './tools-beside.ts'

export interface NamedModel {
  /** JSON Pointer into the body. */
  readonly at: string
  readonly model: string
}

/** `fallbacks` is Anthropic's and LiteLLM's, `models` OpenRouter's. */
const members: ReadonlySet<string> = new Set(['/fallbacks', '/models'])

export function namedModels({ extra, tools }: Pick<CanonicalCall, 'extra' | 'tools'>): readonly NamedModel[] {
  const named = (at: string, value: unknown): readonly NamedModel[] => modelsIn(value).map((model) => ({ at, model }))
  return [
    ...extra.flatMap(({ at, value }) => (members.has(at) ? named(at, value) : [])),
    ...tools.flatMap((tool, index) =>
      tool.kind === 'opaque' && 'model' in tool.value ? named(`/tools/${index}`, tool.value) : [],
    ),
    ...toolsBeside({ extra }).flatMap(({ at, value }) => ('model' in value ? named(at, value) : [])),
  ]
}

/**
 * A string in the place of a list leaves the choice to the vendor: it counts as a model that only a policy allowing all
 * models matches.
 */
function modelsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(modelsIn)
  return typeof value === 'object' && value !== null && 'model' in value ? modelsIn(value.model) : []
}
