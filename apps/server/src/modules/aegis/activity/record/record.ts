import type { EventType, Outcome, Source } from './words.ts'

/** One event of an agent, in whichever form it came. */
export interface ActivityRecord {
  /** Tells the event from the agent's others. */
  readonly event_id: string
  /** ISO 8601, milliseconds. */
  readonly time: string
  readonly type: EventType
  readonly source: Source
  readonly conversation_id: string | null
  readonly trace_id: string | null
  readonly span_id: string | null
  readonly parent_id: string | null
  readonly model: string | null
  readonly provider: string | null
  readonly tool: string | null
  /** The MCP server of the tool. */
  readonly server: string | null
  /** Host. */
  readonly destination: string | null
  readonly tokens_in: number | null
  readonly tokens_out: number | null
  readonly cost: number | null
  readonly duration_ms: number | null
  readonly bytes_out: number | null
  readonly outcome: Outcome
  readonly error_type: string | null
  readonly labels: readonly string[]
  readonly attributes: Readonly<Record<string, string | number | boolean>>
  /** Id of a model call's answer, by which its two records are found to be one; see `join/answer-id.ts`. */
  readonly call_id: string | null
  /** Log entry of the gateway where the call went through it. */
  readonly gateway_log_id: string | null
}

export const noDetails = {
  ...{ conversation_id: null, trace_id: null, span_id: null, parent_id: null },
  ...{ model: null, provider: null, tool: null, server: null, destination: null },
  ...{ tokens_in: null, tokens_out: null, cost: null, duration_ms: null, bytes_out: null },
  ...{ error_type: null, labels: [], attributes: {}, call_id: null, gateway_log_id: null },
} as const satisfies Partial<ActivityRecord>

export interface Rejected {
  /** Position in the batch, from 0. */
  readonly index: number
  readonly event_id: string | null
  readonly reason: string
}

/** Contents of a batch. */
export interface ReadBatch {
  readonly records: readonly ActivityRecord[]
  readonly rejected: readonly Rejected[]
  /** Spans that say nothing about the agent's work, such as those of a database driver. */
  readonly ignored: number
}

/** A batch that cannot be read at all. */
export interface RefusedBatch {
  readonly refused: string
}
