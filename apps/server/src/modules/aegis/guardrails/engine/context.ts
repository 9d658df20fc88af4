/** One call as guardrails are asked about it. The caller fills in what it knows; null and empty lists stand for the rest. */
import type { DataClass } from '../../agents/words.ts'
import type { TrustLevel } from '../declared/words.ts'

export interface GuardedAgent {
  readonly id: string
  readonly tier: number
  readonly autonomy: number
  readonly tags: readonly string[]
  readonly env: string
  readonly dataClasses: readonly DataClass[]
}

export interface GuardedServer {
  readonly slug: string
  readonly trust: TrustLevel
  readonly labels: readonly string[]
}

export interface GuardedTool {
  readonly name: string
  /** Set by people: `external_send`, `reads_private:restricted`, … */
  readonly labels: readonly string[]
  /** Of the server's own definition: claims. */
  readonly annotations: Readonly<Record<string, unknown>>
  readonly pinned: boolean
}

/** A piece of text that detectors look at. */
export interface GuardedText {
  /** JSON Pointer in the body that it stands in. */
  readonly location: string
  readonly text: string
  /** Where it comes from; default `user` for input, `model_output` for output, `tool_result` for results. */
  readonly channel?: 'user' | 'system' | 'document' | 'tool_result' | 'tool_description' | 'model_output'
}

/** A call of the session before this one. */
export interface Step {
  readonly server: string
  readonly tool: string
  /** Unix milliseconds. */
  readonly atMs: number
}

export interface GuardedSession {
  readonly id: string
  readonly labels: readonly string[]
  readonly calls: number
  readonly denied: number
  /** Unix milliseconds. */
  readonly startedMs: number
}

export interface EvaluationContext {
  readonly tenantId: string
  /** `tool` is a call of a tool before it is made: guardrails of the kinds `tool` and `flow` are asked. */
  readonly stage: 'input' | 'output' | 'tool'
  readonly agent: GuardedAgent | null
  readonly user: { readonly id: string; readonly department: string | null } | null
  readonly server: GuardedServer | null
  readonly tool: GuardedTool | null
  /** Arguments of the tool; undefined where there are none. */
  readonly args?: unknown
  /** Texts of the input or the output; of a tool call they are taken from its arguments. */
  readonly texts?: readonly GuardedText[]
  /** The structured part of a result. */
  readonly structured?: unknown
  readonly session: GuardedSession | null
  /** The oldest first; the last hundred suffice. */
  readonly history: readonly Step[]
  readonly request: {
    readonly id: string | null
    readonly ip: string | null
    readonly model: string | null
    readonly tags: readonly string[]
  }
  /** Unix milliseconds. */
  readonly atMs: number
}

/** Sessions are enforced whole: this names the session, else the caller. */
export function sessionKeyOf({ session, agent, user, request }: EvaluationContext): string {
  return session?.id ?? agent?.id ?? user?.id ?? request.id ?? ''
}
