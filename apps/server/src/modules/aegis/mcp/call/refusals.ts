/**
 * How the firewall says no. A call of a tool that policy stops is answered as a result with `isError`, so that the agent
 * can go on; everything else is a JSON-RPC error on HTTP 200, because clients lose the data of one on any other status.
 * The texts are fixed: nothing that a server or an agent wrote is said back.
 */
import { errorOf, type Members, type RpcAnswer, type RpcId, resultOf, rpcCodes } from '../wire/json-rpc.ts'

export interface Refusal {
  readonly kind: keyof typeof texts
  readonly code: number
  readonly errorCode: string
  /** More members of `data`. */
  readonly data?: Members
}

const texts = {
  blocked: 'This call was blocked by the policy of your organization. Do not try it again in another way.',
  denied: 'A person denied this call, or nobody decided about it in time.',
  pending: 'This call waits for the approval of a person. Repeat the same call later.',
  noRule: 'No guardrail allows this call, and the server takes no others.',
  killed: 'A kill switch stops this agent, server or tool.',
  rateLimited: 'The agent has used up its calls to this server. Try again in a minute.',
  notApproved: 'This tool is not approved for the agent. Use a tool of the list.',
  inspection: 'The message is too large or too deep to be looked at.',
  suspended: 'This MCP server is suspended.',
  unchecked: 'This MCP server did not answer when it was checked, so that its tools are not known.',
  upstream: 'The MCP server failed.',
  timeout: 'The MCP server did not answer in time.',
  unrecorded: 'The call could not be recorded.',
  noInput: 'The MCP server asked for input that this client did not give.',
  notPinned: 'This prompt is not approved in its present form. Use a prompt of the list.',
  over: 'The question that this message answers is over, or the arguments are not the same. Make the call again.',
  noMethod: 'The method is not supported.',
} as const

const refusal = (kind: Refusal['kind'], code: number, errorCode: string): Refusal => ({ kind, code, errorCode })

export const refusals = {
  blocked: refusal('blocked', rpcCodes.blocked, 'AEGIS-020'),
  noRule: refusal('noRule', rpcCodes.blocked, 'AEGIS-020'),
  pending: refusal('pending', rpcCodes.approvalPending, 'AEGIS-021'),
  denied: refusal('denied', rpcCodes.blocked, 'AEGIS-022'),
  notApproved: refusal('notApproved', rpcCodes.notApproved, 'AEGIS-023'),
  rateLimited: refusal('rateLimited', rpcCodes.rateLimited, 'AEGIS-024'),
  flow: refusal('blocked', rpcCodes.blocked, 'AEGIS-025'),
  inspection: refusal('inspection', rpcCodes.inspectionLimit, 'AEGIS-026'),
  sessionKilled: refusal('killed', rpcCodes.killed, 'AEGIS-027'),
  killed: refusal('killed', rpcCodes.killed, 'AEGIS-008'),
  suspended: refusal('suspended', rpcCodes.blocked, 'AEGIS-020'),
  unchecked: refusal('unchecked', rpcCodes.internal, 'AEGIS-011'),
  upstream: refusal('upstream', rpcCodes.internal, 'AEGIS-011'),
  timeout: refusal('timeout', rpcCodes.internal, 'AEGIS-011'),
  unrecorded: refusal('unrecorded', rpcCodes.internal, 'API-009'),
  noInput: refusal('noInput', rpcCodes.internal, 'AEGIS-011'),
  notPinned: refusal('notPinned', rpcCodes.notApproved, 'AEGIS-023'),
  over: refusal('over', rpcCodes.invalidParams, 'AEGIS-011'),
  noMethod: refusal('noMethod', rpcCodes.methodNotFound, 'API-010'),
} as const satisfies Readonly<Record<string, Refusal>>

/** Kinds that are reported as the result of a tool call. */
const asResult: ReadonlySet<Refusal['kind']> = new Set(['blocked', 'denied', 'pending', 'suspended', 'noRule'])

export const approvalKey = 'dev.parapet/approval'
export const refusalKey = 'dev.parapet/refusal'

/** The answer to a request that is refused. */
export function refused(id: RpcId, { kind, code, errorCode, data = {} }: Refusal, isToolCall: boolean): RpcAnswer {
  const told = { error_code: errorCode, ...data }
  if (!isToolCall || !asResult.has(kind)) return errorOf(id, { code, message: texts[kind], data: told })
  // A modern client asks again by itself, and the same call finds its approval.
  if (typeof data.requestState === 'string')
    return resultOf(id, {
      resultType: 'input_required',
      requestState: data.requestState,
      _meta: { ...data, requestState: undefined },
    })
  return resultOf(id, {
    content: [{ type: 'text', text: texts[kind] }],
    isError: true,
    resultType: 'complete',
    _meta: { [refusalKey]: { error_code: errorCode }, ...data },
  })
}
