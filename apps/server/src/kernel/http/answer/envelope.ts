import type { ProblemError } from '../../errors/problem.ts'

export const apiVersion = 'v1'

export interface AnswerFacts {
  readonly requestId: string
  readonly timestamp: string
}

/** The success body around already serialized data. */
export function envelope(data: string, facts: AnswerFacts, meta: Readonly<Record<string, unknown>> = {}): string {
  const extra = Object.keys(meta).length === 0 ? '' : `,${JSON.stringify(meta).slice(1, -1)}`
  return `{"data":${data},"meta":{"request_id":"${facts.requestId}","timestamp":"${facts.timestamp}","version":"${apiVersion}"${extra}},"errors":null}`
}

/** Content of an envelope made above. */
export function dataOf(body: string): unknown {
  const parsed: unknown = JSON.parse(body)
  return typeof parsed === 'object' && parsed !== null && 'data' in parsed ? parsed.data : null
}

/** The error body: an RFC 9457 problem document that is an envelope as well. */
export function problemBody(
  problem: ProblemError,
  facts: AnswerFacts & { readonly path: string; readonly publicUrl: string },
): Record<string, unknown> {
  return {
    type: `${facts.publicUrl}/errors/${problem.code}`,
    title: problem.title,
    status: problem.status,
    detail: problem.message,
    instance: facts.path,
    error_code: problem.code,
    request_id: facts.requestId,
    timestamp: facts.timestamp,
    ...problem.members,
    data: null,
    meta: { request_id: facts.requestId, timestamp: facts.timestamp, version: apiVersion },
    errors: problem.parts,
  }
}
