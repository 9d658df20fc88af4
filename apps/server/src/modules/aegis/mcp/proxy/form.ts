/** Errors below `/mcp` are JSON-RPC: clients read nothing else. Tested in proxy.test.ts. */
import Type from 'typebox'
import { apiErrors } from '../../../../kernel/errors/errors.ts'
import type { ProblemError } from '../../../../kernel/errors/problem.ts'
import type { RawForm } from '../../../../kernel/module/raw-form.ts'
import { nullable, strictObject } from '../../../../kernel/schema/types.ts'
import { errors } from '../../errors/errors.ts'
import { rpcCodes } from '../wire/json-rpc.ts'

export const mcpForm: RawForm = {
  under: '/mcp',
  errorSchema: strictObject({
    jsonrpc: Type.Literal('2.0'),
    id: nullable(Type.Union([Type.String({ maxLength: 256 }), Type.Integer()])),
    error: strictObject({
      code: Type.Integer({ minimum: -32_768, maximum: 32_767 }),
      message: Type.String({ maxLength: 2_000 }),
      data: Type.Object({ error_code: Type.String({ maxLength: 16 }) }, { additionalProperties: true }),
    }),
  }),
  error: (problem, { publicUrl, path, requestId }) => ({
    body: {
      jsonrpc: '2.0',
      id: problem.members.rpc_id ?? null,
      error: {
        code: codeOf(problem),
        message: typeof problem.members.rpc_message === 'string' ? problem.members.rpc_message : problem.message,
        data: { error_code: problem.code, request_id: requestId, ...dataOf(problem) },
      },
    },
    headers: challengeOf(problem, `${publicUrl}${metadataPath}${path}`),
  }),
}

export const metadataPath = '/.well-known/oauth-protected-resource'

function codeOf({ code, status, members }: ProblemError): number {
  if (typeof members.rpc_code === 'number') return members.rpc_code
  if (code === apiErrors.malformedJson.code) return -32_700
  if (code === errors.killed.code) return rpcCodes.killed
  if (status === 429) return rpcCodes.rateLimited
  return status >= 500 ? rpcCodes.internal : rpcCodes.invalidRequest
}

function dataOf({ members, parts }: ProblemError): Readonly<Record<string, unknown>> {
  const said = typeof members.rpc_data === 'object' && members.rpc_data !== null ? members.rpc_data : {}
  const pointers = parts.flatMap(({ pointer }) => (pointer === undefined ? [] : [pointer]))
  return { ...said, ...(pointers.length === 0 ? {} : { pointers }) }
}

/** RFC 9728 section 5.1, and RFC 6750 section 3.1 for a caller that is known and is no agent. */
function challengeOf({ status, code }: ProblemError, metadata: string): Readonly<Record<string, string>> {
  const wrong = code === 'AUTH-002' || code === 'AUTH-003' ? ', error="invalid_token"' : ''
  if (status === 401) return { 'www-authenticate': `Bearer realm="parapet"${wrong}, resource_metadata="${metadata}"` }
  if (code !== 'AUTH-004') return {}
  return {
    'www-authenticate': `Bearer realm="parapet", error="insufficient_scope", scope="aegis:write", resource_metadata="${metadata}"`,
  }
}
