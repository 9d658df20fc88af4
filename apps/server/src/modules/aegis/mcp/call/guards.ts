/** Guardrails and approvals as the proxy uses them. */
import type { Members } from '../wire/json-rpc.ts'
import type { Asked, PinnedTool } from './types.ts'

export interface ToolCall {
  readonly asked: Asked
  readonly tool: PinnedTool
  readonly args: Members
  /** Labels in force. */
  readonly labels: ReadonlySet<string>
}

export interface HoldTerms {
  readonly guardrails: readonly { readonly guardrailId: string; readonly version: number }[]
  readonly approverRoles: readonly string[]
  readonly minApprovers: number
  readonly timeoutSeconds: number
}

export interface Judgement {
  readonly decision: 'deny' | 'hold' | 'allow' | 'none' | 'killed'
  /** The arguments as they are to be used. */
  readonly args: Members
  readonly hold: HoldTerms | null
  readonly changed: boolean
  readonly hits: readonly Members[]
}

export interface ApprovalState {
  readonly id: string
  readonly status: 'pending' | 'approved' | 'denied'
  readonly expiresAt: string
}

export interface Guards {
  /** Asked before a call. @throws where the guardrails cannot be read: the call is refused then */
  judge(call: ToolCall): Promise<Judgement> | Judgement
  /** Whether calls are to be shown to it with the labels in force. */
  judgesCalls(asked: Asked): boolean
  /** Whether results are to be shown to `judgeResult`. */
  judgesResults(asked: Asked): boolean
  /** A result as it may be passed on; null where it may not. */
  judgeResult(
    call: ToolCall,
    result: Members,
  ): Promise<{ readonly result: Members | null; readonly hits: readonly Members[] }>
  /** The approval that the call waits for. */
  request(call: ToolCall, terms: HoldTerms, waitForm: 'retry' | 'sse' | 'mrtr'): Promise<ApprovalState>
  /** As it is after at most so many milliseconds. */
  wait(asked: Asked, approvalId: string, ms: number): Promise<ApprovalState | null>
  /** True for exactly one call. */
  redeem(call: ToolCall, terms: HoldTerms, approvalId: string): Promise<boolean>
}
