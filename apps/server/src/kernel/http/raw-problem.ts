import { STATUS_CODES } from 'node:http'
import type { Clock } from '../base/clock.ts'
import type { Random } from '../crypto/random.ts'
import type { ProblemError } from '../errors/problem.ts'
import { problemBody } from './answer/envelope.ts'
import { securityHeaders } from './headers.ts'

export interface RawFacts {
  readonly random: Pick<Random, 'hex'>
  readonly clock: Pick<Clock, 'iso'>
  readonly publicUrl: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A whole HTTP/1.1 answer for a socket that has no reply: the usual problem and headers, and the connection ends. */
export function rawProblem(problem: ProblemError, raw: RawFacts): string {
  const facts = { requestId: `req_${raw.random.hex(12)}`, timestamp: raw.clock.iso(), path: raw.path }
  const body = JSON.stringify(problemBody(problem, { ...facts, publicUrl: raw.publicUrl }))
  const headers = Object.entries({
    ...securityHeaders(raw.publicUrl),
    ...raw.headers,
    ...problem.headers,
    'x-request-id': facts.requestId,
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  })
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines}\r\n${body}`
}
