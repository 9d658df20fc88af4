/**
 * The canonical call: the input of the pipeline, independent of the dialect of the request and of the provider that
 * answers. Dialects and providers each translate to and from it, so their number adds up instead of multiplying. Plain
 * data, no behavior.
 */
import type { CacheControl, MediaSource, Opaque, VendorExtra, VendorForm } from './vendor.ts'

export type * from './events.ts'
export type * from './vendor.ts'

export type Role = 'system' | 'user' | 'assistant' | 'tool'

interface Marked {
  /** Marks the prompt up to here for caching at the provider. */
  readonly cacheControl?: CacheControl
}

export interface TextPart extends Marked {
  readonly type: 'text'
  readonly text: string
}

/** Not readable by the detectors; its address is inspected as text. */
export interface ImagePart extends Marked {
  readonly type: 'image'
  readonly url: string
  readonly detail: 'auto' | 'low' | 'high' | null
}

/** Not readable by the detectors. */
export interface AudioPart extends Marked {
  readonly type: 'audio'
  readonly source: MediaSource
  /** Media type, for instance `audio/wav`. */
  readonly mime: string
}

/** Readable by the detectors as far as its text is known; without a source the text is its whole content. */
export interface FilePart extends Marked {
  readonly type: 'file'
  readonly source: MediaSource | null
  readonly name: string | null
  readonly mime: string | null
  readonly text: string | null
}

/** Reasoning of the model in an earlier turn. */
export interface ReasoningPart {
  readonly type: 'reasoning'
  readonly text: string
  /** A signature or encrypted form that its vendor requires back; valid only for the unchanged text. */
  readonly data: Opaque | null
}

export type Part = TextPart | ImagePart | AudioPart | FilePart | ReasoningPart

export interface ToolCall {
  readonly id: string
  readonly name: string
  /** JSON text as the model wrote it; any text for a custom tool. */
  readonly arguments: string
  readonly custom?: true
}

export interface Turn {
  readonly role: Role
  readonly parts: readonly Part[]
  readonly toolCalls: readonly ToolCall[]
  /** For a tool's turn, whose parts are the tool's result: the id of the tool call that it answers. */
  readonly toolCallId: string | null
  readonly name: string | null
  /** For a system turn: the vendor calls it a developer message. */
  readonly developer?: true
  /** The tool failed. */
  readonly toolError?: boolean
  /** JSON Pointer of the turn in the body it was read from; `/messages/<index>` when absent. */
  readonly at?: string
  /** Pointers of all body members it was read from, in order, if there are several. */
  readonly places?: readonly string[]
}

export interface FunctionTool extends Marked {
  readonly kind: 'function'
  readonly name: string
  readonly description: string | null
  readonly parameters: Readonly<Record<string, unknown>> | null
  readonly strict: boolean | null
  /** JSON Pointer in the body; `/tools/<index>/function` when absent. */
  readonly at?: string
}

/** A tool of the vendor's own, such as a web search that runs at the provider: its JSON as the caller wrote it. */
export interface OpaqueTool {
  readonly kind: 'opaque'
  readonly name: string
  readonly form: VendorForm
  readonly value: Readonly<Record<string, unknown>>
}

export type Tool = FunctionTool | OpaqueTool

/** How much a model may reason before it answers. */
export type Reasoning =
  | { readonly effort: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max' }
  | { readonly budgetTokens: number }

/** Input of an embedding model. Token lists cannot be read by the detectors. */
export interface EmbeddingInput {
  readonly inputs: readonly (string | readonly number[])[]
  readonly dimensions: number | null
  readonly encoding: 'float' | 'base64' | null
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
  /** The vendor's form of the request; null for our own. */
  readonly form: VendorForm | null
  readonly turns: readonly Turn[]
  readonly tools: readonly Tool[]
  readonly toolChoice: ToolChoice
  readonly format: OutputFormat
  readonly temperature: number | null
  readonly topP: number | null
  readonly seed: number | null
  readonly stop: readonly string[]
  readonly choices: number
  /** Maximum tokens of the answer. */
  readonly maxTokens: number | null
  readonly topK: number | null
  readonly frequencyPenalty: number | null
  readonly presencePenalty: number | null
  readonly logprobs: boolean | null
  readonly topLogprobs: number | null
  readonly parallelToolCalls: boolean | null
  readonly reasoning: Reasoning | null
  /** The caller's identifier for its own end user. */
  readonly user: string | null
  /** `false`: the provider must not store the answer. It is never asked to store one. */
  readonly store: false | null
  readonly serviceTier: string | null
  /** Unknown members, for a provider of the same form. */
  readonly extra: readonly VendorExtra[]
  /** For embedding calls only. */
  readonly embed: EmbeddingInput | null
  readonly metadata: Readonly<Record<string, string>>
}

/** A call with default settings only; settings of callers override these. */
export const emptyCall: CanonicalCall = {
  form: null,
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
  topK: null,
  frequencyPenalty: null,
  presencePenalty: null,
  logprobs: null,
  topLogprobs: null,
  parallelToolCalls: null,
  reasoning: null,
  user: null,
  store: null,
  serviceTier: null,
  extra: [],
  embed: null,
  metadata: {},
}
