/**
 * The digest that binds an approval to one call. Promises that a change of one byte of the arguments, of the caller, of a
 * guardrail's version or of the tool's pinned definition gives another digest, and that the order of members and of
 * guardrails does not. Pure. Tested in binding.test.ts.
 */
import { canonicalHash } from '../../../kernel/crypto/canonical-json.ts'

export interface BoundVersion {
  readonly guardrailId: string
  readonly version: number
}

/** A tool call as it is held and as it is made later. */
export interface BoundCall {
  readonly tenantId: string
  readonly agentId: string
  /** The person for whom the agent acts; null where it acts on its own. */
  readonly userId: string | null
  readonly server: string
  readonly tool: string
  /** `argsDigest` of the arguments. */
  readonly argsSha256: string
  /** Guardrails that hold the call, in any order. */
  readonly guardrails: readonly BoundVersion[]
  /** SHA-256 of the tool's approved definition; null where the tool has none. */
  readonly pinSha256: string | null
}

/** SHA-256 of the RFC 8785 canonical form of the arguments, in hex. @throws RangeError for a value without a JSON form */
export const argsDigest = (args: unknown): string => canonicalHash(args ?? null)

/** By this a repeated call finds the approval that it waits for. */
export function callDigest(call: BoundCall): string {
  return canonicalHash(['parapet.approval.call/1', membersOf(call)])
}

/** @param expiresAt the time until which people may decide, in any ISO 8601 form */
export function bindingDigest(call: BoundCall, expiresAt: string): string {
  return canonicalHash(['parapet.approval/1', { ...membersOf(call), expires_at: new Date(expiresAt).toISOString() }])
}

function membersOf({ tenantId, agentId, userId, server, tool, argsSha256, guardrails, pinSha256 }: BoundCall) {
  const versions = guardrails.map(({ guardrailId, version }) => `${guardrailId}@${version}`)
  return {
    ...{ tenant_id: tenantId, agent_id: agentId, user_id: userId, server, tool, args_sha256: argsSha256 },
    ...{ guardrails: [...new Set(versions)].toSorted(), pin_sha256: pinSha256 },
  }
}
