/** JSON-RPC 2.0 messages as MCP has them. Pure. Tested in wire.test.ts. */
import Type, { type Static } from 'typebox'
import { isRecord } from '../../../../kernel/base/is-record.ts'

export type RpcId = string | number
export type Members = Readonly<Record<string, unknown>>

/** One message: a request, a notification, or an answer to a server's question. Lists of messages are refused. */
export const RpcMessage = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    id: Type.Optional(
      Type.Union([
        Type.String({ maxLength: 256 }),
        Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
      ]),
    ),
    method: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    params: Type.Optional(Type.Object({}, { additionalProperties: true })),
    result: Type.Optional(Type.Object({}, { additionalProperties: true })),
    error: Type.Optional(Type.Object({}, { additionalProperties: true })),
  },
  { additionalProperties: true, description: 'A JSON-RPC 2.0 message of the Model Context Protocol' },
)
export type RpcMessage = Static<typeof RpcMessage>

/** Codes of this firewall, of those that implementations may choose, and of the protocol. */
export const rpcCodes = {
  blocked: -32010,
  approvalPending: -32011,
  killed: -32012,
  rateLimited: -32013,
  notApproved: -32014,
  inspectionLimit: -32015,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
} as const

export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: Members
}

export interface RpcAnswer {
  readonly jsonrpc: '2.0'
  readonly id: RpcId | null
  readonly result?: Members
  readonly error?: RpcError | Members
}

export const resultOf = (id: RpcId, result: Members): RpcAnswer => ({ jsonrpc: '2.0', id, result })
export const errorOf = (id: RpcId | null, error: RpcError): RpcAnswer => ({ jsonrpc: '2.0', id, error })

export const objectOf = (value: unknown): Members => (isRecord(value) ? value : {})
export const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Whether a message is the answer to the request of this id. */
export function isAnswerTo(message: Members, id: RpcId): boolean {
  return (
    message.id === id && (message.result !== undefined || message.error !== undefined) && message.method === undefined
  )
}

export const isRequest = (message: Members): boolean => typeof message.method === 'string' && message.id !== undefined
