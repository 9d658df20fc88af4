/** The chat bodies as the gateway's document declares them. */
export interface ToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image_url'
      readonly image_url: { readonly url: string; readonly detail?: 'auto' | 'low' | 'high' }
    }

export interface ChatMessage {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool'
  readonly content?: string | readonly ContentPart[] | null
  readonly name?: string
  readonly tool_calls?: readonly ToolCall[]
  readonly tool_call_id?: string
}

export interface Tool {
  readonly type: 'function'
  readonly function: {
    readonly name: string
    readonly description?: string
    readonly parameters?: Readonly<Record<string, unknown>>
    readonly strict?: boolean
  }
}

export type ResponseFormat =
  | { readonly type: 'text' | 'json_object' }
  | {
      readonly type: 'json_schema'
      readonly json_schema: {
        readonly name: string
        readonly schema: Readonly<Record<string, unknown>>
        readonly strict?: boolean
      }
    }

export interface ChatRequest {
  /** Name of a provider; one of `provider` and `model` is required. */
  readonly provider?: string
  /** A model, or `provider/model`. */
  readonly model?: string
  readonly messages: readonly ChatMessage[]
  readonly temperature?: number
  readonly top_p?: number
  readonly max_tokens?: number
  readonly n?: number
  readonly seed?: number
  readonly stop?: string | readonly string[]
  readonly tools?: readonly Tool[]
  readonly tool_choice?:
    | 'auto'
    | 'none'
    | 'required'
    | { readonly type: 'function'; readonly function: { readonly name: string } }
  readonly response_format?: ResponseFormat
  /** Id or name of a policy; it can only tighten. */
  readonly policy_id?: string
  readonly metadata?: Readonly<Record<string, string>>
  readonly cache?: { readonly mode?: 'off' | 'refresh' | 'exact'; readonly max_age_s?: number }
  readonly timeout_ms?: number
}

export interface Violation {
  readonly rule_id: string
  readonly step: string
  readonly category: string
  readonly action: 'allow' | 'flag' | 'redact' | 'block' | 'would_block'
  readonly severity: 'low' | 'medium' | 'high' | 'critical'
  readonly count: number
  /** JSON Pointer; never the matched text. */
  readonly location: string
}

export interface SecurityFacts {
  /** From 0 to 1; null when a policy hides it. */
  readonly injection_score: number | null
  readonly pii_detected: boolean
  readonly policy_violations: readonly Violation[]
  readonly pipeline_latency_ms: number
}

export interface Usage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly total_tokens: number
  readonly cached_tokens: number
  readonly reasoning_tokens: number
  readonly usage_source: 'upstream' | 'estimated'
}

export interface Cost {
  /** Decimal; null when the price is not known. */
  readonly amount: string | null
  readonly currency: string | null
  readonly status: string
}

/** Outcome of a call, known once it is over. */
export interface ChatOutcome {
  readonly usage: Usage
  readonly cost: Cost
  readonly cache: 'hit' | 'miss' | 'joined' | 'off'
  readonly mode: 'enforce' | 'monitor' | 'off'
  readonly security: SecurityFacts
}

export interface ChatCompletion extends ChatOutcome {
  readonly id: string
  readonly object: 'chat.completion'
  /** Unix seconds. */
  readonly created: number
  readonly model: string
  readonly provider: string
  readonly system_fingerprint: string | null
  readonly choices: readonly {
    readonly index: number
    readonly message: {
      readonly role: 'assistant'
      readonly content: string | null
      readonly refusal: string | null
      readonly reasoning_content?: string
      readonly tool_calls?: readonly ToolCall[]
    }
    readonly finish_reason: string
  }[]
}

/** The last thing a stream tells. */
export interface ChatStreamOutcome extends ChatOutcome {
  readonly id: string
  readonly model: string
  readonly provider: string
}

export interface ToolCallDelta {
  readonly index: number
  readonly id?: string
  readonly type?: 'function'
  readonly function?: { readonly name?: string; readonly arguments?: string }
}

export interface ChatChunk {
  readonly id: string
  readonly model: string
  readonly choices: readonly {
    readonly index: number
    readonly delta: {
      readonly role?: 'assistant'
      readonly content?: string | null
      readonly refusal?: string | null
      readonly reasoning_content?: string
      readonly tool_calls?: readonly ToolCallDelta[]
    }
    readonly finish_reason: string | null
  }[]
}
