/**
 * Guards of other modules on model calls. The gateway asks input guards in step 8, after its own policy, and output guards
 * in step 12. A guard owns its rules and its modes: a block is a block in every mode of a policy, and a guard that only
 * watches flags. Guards are asked at the same time, their verdicts count in the order of their names, and a guard that
 * fails or is late refuses the call.
 */
import type { Actor, TenantId } from '../../../kernel/access/actor.ts'
import type { AbortWatch } from '../../../kernel/base/abort.ts'
import { definePort } from '../../../kernel/module/ports/port.ts'

/** Facts about a call that every guard receives. */
export interface GuardedCall {
  /** Id of the call in the request log. */
  readonly id: string
  readonly requestId: string
  readonly tenantId: TenantId
  readonly actor: Actor
  readonly agentId: string | null
  /** The model or route as the caller named it. */
  readonly model: string | null
  readonly tags: readonly string[]
  readonly isStream: boolean
  /** Aborts with the call. */
  readonly signal: AbortWatch
}

export interface GuardText {
  /** JSON Pointer in the body of the request or the answer. */
  readonly location: string
  readonly text: string
}

export interface InputText extends GuardText {
  readonly provenance: 'user' | 'system' | 'assistant' | 'tool_result' | 'tool_description'
  /** A name, for which no other text can stand: a redaction of it refuses the call. */
  readonly isName: boolean
}

export interface GuardTool {
  readonly name: string
  readonly description: string | null
  /** JSON Schema; null where there is none, as of a vendor's own tools. */
  readonly parameters: Readonly<Record<string, unknown>> | null
}

export interface GuardTarget {
  readonly provider: string
  readonly model: string
}

/** Parts of a call that an input guard can need. Texts are as the model would read them, redacted by the policy. */
export interface InputParts {
  readonly texts: readonly InputText[]
  readonly tools: readonly GuardTool[]
  readonly metadata: Readonly<Record<string, string>>
  /** Models that may be asked, in their order. */
  readonly targets: readonly GuardTarget[]
}

/** Parts of an answer that an output guard can need. Texts are as they would leave, before values are restored. */
export interface OutputParts {
  /** Contents, thoughts and refusals of all choices, and arguments of tool calls. */
  readonly texts: readonly GuardText[]
  /** `arguments` as the model wrote them, JSON for function tools. */
  readonly toolCalls: readonly { readonly location: string; readonly name: string; readonly arguments: string }[]
  /** Null for an answer out of the cache. */
  readonly servedBy: GuardTarget | null
}

/** A span to be taken out of the text at a location, in UTF-16 code units. */
export interface Redaction {
  readonly location: string
  readonly start: number
  readonly end: number
}

/** Verdict of one rule of a guard; without a verdict the guard allows the call. */
export interface Verdict {
  readonly decision: 'flag' | 'block'
  /** Id of the rule, for the request log: up to 128 characters. */
  readonly rule: string
  /** For the caller, where it blocks; never the matched text. */
  readonly reason: string
  /** Where it was found; the whole body when absent. */
  readonly location?: string
  /** Spans that are replaced by `[removed: <rule>]`. */
  readonly redactions?: readonly Redaction[]
}

/** Reads a part that the guard has declared. @throws TypeError for another one */
export type PartReader<Parts, N extends keyof Parts> = <K extends N>(name: K) => Parts[K]

export interface Guard<Parts, N extends keyof Parts = keyof Parts> {
  /** `<module>.<guard>`: the order of verdicts and the category in the request log. */
  readonly name: string
  /** Parts that it reads. */
  readonly needs: readonly N[]
  /** Milliseconds after which it counts as failed. */
  readonly limitMs: number
  /**
   * Whether it judges this call. It costs every call, so it answers from memory. Answers that an output guard judges are
   * held back until they are complete.
   */
  judges(call: GuardedCall): boolean
  judge(call: GuardedCall, part: PartReader<Parts, N>): readonly Verdict[] | Promise<readonly Verdict[]>
}

export type InputGuard = Guard<InputParts>
export type OutputGuard = Guard<OutputParts>

export const inputGuardPort = definePort<InputGuard>({ name: 'gateway.input_guard', cardinality: 'many' })
export const outputGuardPort = definePort<OutputGuard>({ name: 'gateway.output_guard', cardinality: 'many' })

/** Holds a guard to the parts it declares. */
export function inputGuard<const N extends keyof InputParts>(guard: Guard<InputParts, N>): InputGuard {
  return guard
}

/** Holds a guard to the parts it declares. */
export function outputGuard<const N extends keyof OutputParts>(guard: Guard<OutputParts, N>): OutputGuard {
  return guard
}
