/**
 * Tools and settings of a messages body. Settings without a counterpart in the canonical call are kept. Tested in
 * read.test.ts.
 */
import { isRecord } from '../../../../kernel/base/is-record.ts'
import { apiErrors } from '../../../../kernel/errors/errors.ts'
import type { OutputFormat, Reasoning, Tool, ToolChoice } from '../../call/call.ts'
import { opaqueToolName } from '../openai/read-chat.ts'
import type { VendorMembers } from '../openai/vendor-members.ts'
import type {
  AnthropicOutputConfig,
  AnthropicThinking,
  AnthropicTool,
  AnthropicToolChoice,
  MessagesBody,
} from './messages-schema.ts'
import { anthropicForm, readMark } from './read-blocks.ts'

const knownOfTool: ReadonlySet<string> = new Set([
  ...['type', 'name', 'description', 'input_schema', 'strict', 'cache_control'],
])

/** Delivery of the answer, and examples in addition to the schema. */
const wishesOfTool: ReadonlySet<string> = new Set(['eager_input_streaming', 'input_examples'])

/** A tool with a type of its own is the vendor's and passes as it is. @throws API-001 */
export function readTool(tool: AnthropicTool, at: string, members: VendorMembers): Tool {
  const type = tool.type ?? 'custom'
  if (type !== 'custom')
    return { kind: 'opaque', name: tool.name ?? opaqueToolName({ type }), form: anthropicForm, value: { ...tool } }
  if (tool.name === undefined || tool.input_schema === undefined)
    throw apiErrors
      .validation({ what: 'A tool needs a name and an input_schema.' })
      .at([{ detail: 'A tool needs a name and an input_schema.', pointer: at }])
  members.keepRest(tool, knownOfTool, at, wishesOfTool)
  return {
    kind: 'function',
    name: tool.name,
    description: tool.description ?? null,
    parameters: tool.input_schema,
    strict: tool.strict ?? null,
    ...readMark(tool.cache_control, at, members),
    at,
  }
}

export interface ReadToolChoice {
  readonly toolChoice: ToolChoice
  readonly parallelToolCalls: boolean | null
}

const knownOfChoice: ReadonlySet<string> = new Set(['type', 'name', 'disable_parallel_tool_use'])
const choices: Readonly<Record<string, ToolChoice>> = { auto: 'auto', any: 'required', none: 'none' }

export function readToolChoice(choice: AnthropicToolChoice | null | undefined, members: VendorMembers): ReadToolChoice {
  if (!choice) return { toolChoice: null, parallelToolCalls: null }
  const named = choice.type === 'tool' && choice.name ? { name: choice.name } : null
  const toolChoice = named ?? (Object.hasOwn(choices, choice.type) ? (choices[choice.type] ?? null) : null)
  if (toolChoice === null) {
    members.keep('/tool_choice', choice)
    return { toolChoice: null, parallelToolCalls: null }
  }
  members.keepRest(choice, knownOfChoice, '/tool_choice')
  const disabled = choice.disable_parallel_tool_use
  return { toolChoice, parallelToolCalls: typeof disabled === 'boolean' ? !disabled : null }
}

const none: ReadonlySet<string> = new Set()
const efforts = ['low', 'medium', 'high', 'xhigh', 'max'] as const
const knownOfThinking: ReadonlySet<string> = new Set(['type', 'budget_tokens'])
const knownOfOutput: ReadonlySet<string> = new Set(['effort', 'format'])

/** Reasoning of the model: a number of tokens, otherwise disabled, otherwise the requested effort. */
export function readReasoning(body: MessagesBody, members: VendorMembers): Reasoning | null {
  const thinking = thinkingOf(body.thinking, members)
  const effort = body.output_config?.effort ?? null
  const known = efforts.find((name) => name === effort)
  if (known !== undefined && thinking === null) return { effort: known }
  // In addition to a budget, the effort is redundant.
  members.keepRest({ effort }, none, '/output_config', new Set(['effort']))
  return thinking
}

function thinkingOf(thinking: AnthropicThinking | null | undefined, members: VendorMembers): Reasoning | null {
  if (!thinking) return null
  const { type, budget_tokens: budgetTokens } = thinking
  const read: Reasoning | null =
    type === 'disabled' ? { effort: 'none' } : type === 'enabled' && budgetTokens ? { budgetTokens } : null
  // Adaptive reasoning is the default of other models.
  if (type === 'adaptive') members.keepRest({ thinking }, none, '', new Set(['thinking']))
  else if (read === null) members.keep('/thinking', thinking)
  else members.keepRest(thinking, knownOfThinking, '/thinking')
  return read
}

/** Schemas have no names in this form. */
export function readFormat(config: AnthropicOutputConfig | null | undefined, members: VendorMembers): OutputFormat {
  if (!config) return null
  members.keepRest(config, knownOfOutput, '/output_config')
  const { format } = config
  if (!format) return null
  const { type, schema, ...rest } = format
  if (type === 'json_schema' && isRecord(schema) && Object.keys(rest).length === 0)
    return { type: 'json_schema', name: 'answer', schema, strict: true }
  members.keep('/output_config/format', format)
  return null
}

/** The vendor's tier names in ours; others are kept. */
export function readTier(tier: string | null | undefined, members: VendorMembers): string | null {
  if (tier === 'auto') return tier
  if (tier === 'standard_only') return 'default'
  members.keep('/service_tier', tier)
  return null
}
