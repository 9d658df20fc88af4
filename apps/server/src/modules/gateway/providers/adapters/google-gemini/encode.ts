/**
 * Gemini's `generateContent` towards providers: the request body of a canonical call. The model stands in the address. Pure.
 * Tested in encode.test.ts.
 */
import type { CanonicalCall, FunctionTool, Reasoning, Tool } from '../../../call/call.ts'
import { UpstreamFault } from '../../fault.ts'
import { withoutNulls } from '../openai/encode.ts'
import { encodeContents, encodeSystem } from './encode-contents.ts'

/** From the third generation on, models are told how hard to think and not how long, and want their signatures back. */
export function isThirdGeneration(model: string): boolean {
  return /gemini-(?:[3-9]|\d\d)/.test(model)
}

/** The body to send; fields the caller did not set are left out. */
export function encodeRequest(call: CanonicalCall, model: string): Record<string, unknown> {
  return withoutNulls({
    systemInstruction: encodeSystem(call.turns),
    contents: encodeContents(call.turns, { needsSignature: isThirdGeneration(model) }),
    tools: call.tools.length > 0 ? encodeTools(call.tools) : null,
    toolConfig: encodeToolConfig(call),
    generationConfig: generationConfig(call, model),
  })
}

function generationConfig(call: CanonicalCall, model: string): Record<string, unknown> | null {
  const config = withoutNulls({
    temperature: call.temperature,
    topP: call.topP,
    topK: call.topK,
    seed: call.seed,
    candidateCount: call.choices > 1 ? call.choices : null,
    maxOutputTokens: call.maxTokens,
    stopSequences: call.stop.length > 0 ? call.stop : null,
    frequencyPenalty: call.frequencyPenalty,
    presencePenalty: call.presencePenalty,
    responseLogprobs: call.logprobs,
    logprobs: call.topLogprobs,
    ...encodeFormat(call),
    thinkingConfig: encodeThinking(call.reasoning, model),
  })
  return Object.keys(config).length === 0 ? null : config
}

function encodeFormat({ format }: CanonicalCall): Record<string, unknown> {
  if (format === null || format.type === 'text') return {}
  if (format.type !== 'json_schema') return { responseMimeType: 'application/json' }
  return { responseMimeType: 'application/json', responseJsonSchema: format.schema }
}

/** One entry holds all functions; a tool of another vendor's own does not come here. */
function encodeTools(tools: readonly Tool[]): readonly unknown[] {
  return [{ functionDeclarations: tools.flatMap((tool) => (tool.kind === 'function' ? [encodeTool(tool)] : [])) }]
}

/** `parametersJsonSchema` accepts callers' schemas; `parameters` supports only a subset. */
function encodeTool({ name, description, parameters }: FunctionTool): Record<string, unknown> {
  return withoutNulls({ name, description, parametersJsonSchema: parameters })
}

function encodeToolConfig({ toolChoice: choice, tools }: CanonicalCall): unknown {
  const wish = (mode: string, names?: readonly string[]) => ({
    functionCallingConfig: { mode, ...(names === undefined ? {} : { allowedFunctionNames: names }) },
  })
  if (choice === 'required') return wish('ANY')
  if (choice === 'none') return wish('NONE')
  if (choice !== null && choice !== 'auto') return wish('ANY', [choice.name])
  // Arguments that must fit their schema are a mode here, for all functions at once.
  if (tools.some((tool) => tool.kind === 'function' && tool.strict === true)) return wish('VALIDATED')
  return choice === 'auto' ? wish('AUTO') : null
}

type Effort = Extract<Reasoning, { readonly effort: string }>['effort']

const levels: Readonly<Record<Exclude<Effort, 'none'>, string>> = {
  minimal: 'minimal',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
}
/** Tokens that the vendor's own translation of OpenAI's efforts gives models that count them. */
const budgets: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 24_576,
  max: 24_576,
}

/** Thoughts are shown where the caller says how much is to be thought. */
function encodeThinking(reasoning: Reasoning | null, model: string): unknown {
  if (reasoning === null) return null
  const budget = 'effort' in reasoning ? budgets[reasoning.effort] : reasoning.budgetTokens
  if ('budgetTokens' in reasoning || !isThirdGeneration(model))
    return { includeThoughts: budget > 0, thinkingBudget: budget }
  if (reasoning.effort === 'none')
    throw new UpstreamFault('bad_request', 'This model always thinks: send the effort minimal or low.')
  return { includeThoughts: true, thinkingLevel: levels[reasoning.effort] }
}
