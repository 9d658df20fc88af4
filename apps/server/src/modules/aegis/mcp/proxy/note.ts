/** The record of a message, from its state and its end. */
import { exactJson } from '../../../../kernel/base/exact-json.ts'
import { canonicalHash } from '../../../../kernel/crypto/canonical-json.ts'
import type { Outcome } from '../../activity/record/words.ts'
import type { Asked } from '../call/types.ts'
import type { CallRow, callDecisions } from '../declared/call-schema.ts'
import type { Members } from '../wire/json-rpc.ts'
import type { ProxyServices } from './services.ts'

export interface Ending {
  readonly decision: (typeof callDecisions)[number]
  readonly outcome: Outcome
  readonly errorCode?: string | null
  readonly tool?: string | null
  readonly pin?: string | null
  readonly argsSha256?: string | null
  readonly result?: Members | null
  readonly labelsBefore?: ReadonlySet<string>
  readonly labelsAfter?: ReadonlySet<string>
  readonly detections?: readonly string[]
  readonly hits?: readonly Members[]
  readonly bytesOut?: number
  /** Milliseconds by stage. */
  readonly latency?: Readonly<Record<string, number>>
}

const nothing: ReadonlySet<string> = new Set()

/** @throws Error when the record is not stored */
export function note({ kernel, recorder }: ProxyServices, asked: Asked, ending: Ending): Promise<void> {
  const { caller, keys, facts, session, method, message, startedMs } = asked
  const { row: server } = caller.server
  const { labelsBefore = nothing, labelsAfter = labelsBefore, result = null } = ending
  const row: CallRow = {
    ...{ tenant_id: caller.tenantId, id: kernel.random.uuid(), created_at: kernel.clock.iso() },
    ...{ agent_id: caller.agent.id, server_id: server.id, server: server.slug, method: method.slice(0, 128) },
    tool: ending.tool?.slice(0, 256) ?? null,
    ...{ conversation: keys.conversation, trace_id: keys.traceId },
    protocol_version: facts.version ?? session?.version ?? null,
    client_info: session?.client ?? null,
    ...{ decision: ending.decision, outcome: ending.outcome, error_code: ending.errorCode ?? null },
    ...{ pin_sha256: ending.pin ?? null, args_sha256: ending.argsSha256 ?? null },
    result_sha256: result === null ? null : canonicalHash(result),
    ...{ labels_before: [...labelsBefore].sort(), labels_after: [...labelsAfter].sort() },
    ...{ detections: [...(ending.detections ?? [])], guardrail_hits: [...(ending.hits ?? [])] },
    bytes_in: Buffer.byteLength(exactJson(message)),
    bytes_out: ending.bytesOut ?? 0,
    latency_ms: { ...ending.latency, total: Math.round((kernel.clock.monotonic() - startedMs) * 1_000) / 1_000 },
    request_id: caller.request.id,
  }
  return recorder.store(caller, row)
}
