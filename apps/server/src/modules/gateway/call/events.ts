/** The events of an answer; a complete answer is a list of them, so both forms pass the pipeline in the same way. */
import type { FinishReason } from './finish-reason.ts'
import type { Opaque, VendorForm } from './vendor.ts'

export interface Usage {
  /** All input, cached or not. */
  readonly inputTokens: number
  /** Part of the input: read from the provider's cache. */
  readonly cachedTokens: number
  /** Part of the input: written to the provider's cache, by lifetime. */
  readonly cacheWrite5mTokens: number
  readonly cacheWrite1hTokens: number
  readonly inputAudioTokens: number
  readonly inputImageTokens: number
  readonly outputTokens: number
  /** Part of the output. */
  readonly reasoningTokens: number
  readonly outputAudioTokens: number
  readonly source: 'upstream' | 'estimated'
  /** Tier in which it was served, if the provider reports it; it may differ from the requested one. */
  readonly serviceTier?: string
}

/** Text channels of one choice. */
export type Channel = 'text' | 'reasoning' | 'refusal'

export interface TokenLogprob {
  readonly token: string
  readonly logprob: number
  readonly bytes: readonly number[] | null
  readonly top: readonly Omit<TokenLogprob, 'top'>[]
}

export type TextName =
  | { readonly channel: Channel; readonly part: string }
  /** Index of the tool call. */
  | { readonly tool: number }

export interface ToolCallExtra {
  readonly form: VendorForm
  readonly members: Readonly<Record<string, unknown>>
}

interface InChoice {
  readonly choice: number
}

/** Events that belong to one choice. */
export type ChoiceEvent = InChoice &
  /** `part`: index of the text within its channel; absent if the channel has only one. */
  (
    | { readonly type: 'text'; readonly channel: Channel; readonly text: string; readonly part?: string }
    /** `custom`: the input of the tool is plain text, not JSON. */
    | {
        readonly type: 'tool_call'
        readonly index: number
        readonly id: string
        readonly name: string
        readonly custom?: true
        /** Unknown members of the call. */
        readonly extra?: ToolCallExtra
      }
    | { readonly type: 'tool_arguments'; readonly index: number; readonly text: string; readonly custom?: true }
    /**
     * Ends a piece of reasoning: the signature or encrypted form that its vendor requires back with the preceding text.
     */
    | { readonly type: 'reasoning_data'; readonly data: Opaque }
    | {
        readonly type: 'logprobs'
        readonly channel: 'text' | 'refusal'
        readonly tokens: readonly TokenLogprob[]
        readonly part?: string
      }
    /** One of several texts, or the arguments of a tool call, are complete. */
    | { readonly type: 'text_end'; readonly of: TextName }
    /** A citation or another note on the preceding text. */
    | { readonly type: 'annotation'; readonly note: Opaque }
    /** Unknown members of the choice or of its message. */
    | {
        readonly type: 'extra'
        readonly of: 'choice' | 'message'
        readonly form: VendorForm
        readonly members: Readonly<Record<string, unknown>>
      }
    | {
        readonly type: 'finish'
        readonly reason: FinishReason
        /** The provider's own reason, if it is more specific than ours. */
        readonly native?: string
        readonly stopSequence?: string
      }
  )

export type AnswerEvent =
  | ChoiceEvent
  | {
      readonly type: 'start'
      readonly model: string
      readonly fingerprint: string | null
      /** The provider's id of the answer. */
      readonly id?: string
    }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'embedding'; readonly index: number; readonly vector: readonly number[] | string }
  /** Unknown members of the whole answer. */
  | { readonly type: 'answer_extra'; readonly form: VendorForm; readonly members: Readonly<Record<string, unknown>> }
  /** A vendor-specific event or item without a meaning here, as received. */
  | { readonly type: 'raw'; readonly event: string | null; readonly item: Opaque }

/** Counts without known values. */
export const noTokens = {
  cachedTokens: 0,
  cacheWrite5mTokens: 0,
  cacheWrite1hTokens: 0,
  inputAudioTokens: 0,
  inputImageTokens: 0,
  reasoningTokens: 0,
  outputAudioTokens: 0,
} as const

type Counts = Pick<Usage, 'inputTokens' | 'outputTokens'> & Partial<Usage>

/** Token counts and their source; a count that is not given is 0. */
export function countedTokens(source: Usage['source'], counts: Counts): Usage {
  return withinTotals(Object.assign({ source, inputTokens: 0, outputTokens: 0, ...noTokens }, counts))
}

/** A part never exceeds the total, whatever a server reports: parts have their own prices. */
function withinTotals(usage: Usage): Usage {
  const { inputTokens, outputTokens } = usage
  const cachedTokens = Math.min(usage.cachedTokens, inputTokens)
  const cacheWrite5mTokens = Math.min(usage.cacheWrite5mTokens, inputTokens - cachedTokens)
  const cacheWrite1hTokens = Math.min(usage.cacheWrite1hTokens, inputTokens - cachedTokens - cacheWrite5mTokens)
  const reasoningTokens = Math.min(usage.reasoningTokens, outputTokens)
  return { ...usage, cachedTokens, cacheWrite5mTokens, cacheWrite1hTokens, reasoningTokens }
}
