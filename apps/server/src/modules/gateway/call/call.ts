/**
 * The canonical call: what the pipeline works on, whatever dialect asked and whatever provider answers. Dialects and
 * providers each translate to and from it, so their number adds up instead of multiplying. Plain data, no behavior.
 */
export type Role = 'system' | 'user' | 'assistant' | 'tool'

export interface TextPart {
  readonly type: 'text'
  readonly text: string
}

/** Not readable by the detectors; its address is inspected as text. */
export interface ImagePart {
  readonly type: 'image'
  readonly url: string
  readonly detail: 'auto' | 'low' | 'high' | null
}

export type Part = TextPart | ImagePart

export interface ToolCall {
  readonly id: string
  readonly name: string
  /** JSON text as the model wrote it. */
  readonly arguments: string
}

export interface Turn {
  readonly role: Role
  readonly parts: readonly Part[]
  readonly toolCalls: readonly ToolCall[]
  readonly toolCallId: string | null
  readonly name: string | null
}

export interface Tool {
  readonly name: string
  readonly description: string | null
  readonly parameters: Readonly<Record<string, unknown>> | null
  readonly strict: boolean | null
}

export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string } | null

export type OutputFormat =
  | { readonly type: 'text' | 'json_object' }
  | {
      readonly type: 'json_schema'
      readonly name: string
      readonly schema: Readonly<Record<string, unknown>>
      readonly strict: boolean | null
    }
  | null

export interface CanonicalCall {
  readonly turns: readonly Turn[]
  readonly tools: readonly Tool[]
  readonly toolChoice: ToolChoice
  readonly format: OutputFormat
  readonly temperature: number | null
  readonly topP: number | null
  readonly seed: number | null
  readonly stop: readonly string[]
  readonly choices: number
  /** Tokens the answer may have. */
  readonly maxTokens: number | null
  readonly metadata: Readonly<Record<string, string>>
}

export interface Usage {
  readonly inputTokens: number
  readonly cachedTokens: number
  readonly outputTokens: number
  readonly reasoningTokens: number
  readonly source: 'upstream' | 'estimated'
}

export const finishReasons = ['stop', 'length', 'tool_calls', 'content_filter'] as const
export type FinishReason = (typeof finishReasons)[number]

/** Text channels of one choice. */
export type Channel = 'text' | 'reasoning' | 'refusal'

/** One step of an answer; a complete answer is a list of them, so both forms take the same way through the pipeline. */
export type AnswerEvent =
  | { readonly type: 'start'; readonly model: string; readonly fingerprint: string | null }
  | { readonly type: 'text'; readonly choice: number; readonly channel: Channel; readonly text: string }
  | {
      readonly type: 'tool_call'
      readonly choice: number
      readonly index: number
      readonly id: string
      readonly name: string
    }
  | { readonly type: 'tool_arguments'; readonly choice: number; readonly index: number; readonly text: string }
  | { readonly type: 'finish'; readonly choice: number; readonly reason: FinishReason }
  | { readonly type: 'usage'; readonly usage: Usage }

/** A call that asks for nothing in particular; what callers set stands before these. */
export const emptyCall: CanonicalCall = {
  turns: [],
  tools: [],
  toolChoice: null,
  format: null,
  temperature: null,
  topP: null,
  seed: null,
  stop: [],
  choices: 1,
  maxTokens: null,
  metadata: {},
}
