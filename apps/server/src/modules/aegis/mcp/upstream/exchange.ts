/**
 * One message to an upstream and the messages that come back: a JSON body or a stream of events, read as they come and
 * held to the same strict form as a caller's. Tested in proxy.test.ts.
 */
import type { AbortWatch } from '../../../../kernel/base/abort.ts'
import { exactJson } from '../../../../kernel/base/exact-json.ts'
import type { EgressResponse } from '../../../../kernel/egress/exchange.ts'
import { ProblemError } from '../../../../kernel/errors/problem.ts'
import { parseBody } from '../../../../kernel/http/body/json-body.ts'

import { type Members, objectOf } from '../wire/json-rpc.ts'
import { EventTooLong, readEvents } from '../wire/sse.ts'
import type { Credentials } from './credential.ts'
import { UpstreamFault } from './fault.ts'
import type { UpstreamParts, UpstreamServer } from './server.ts'

/** Bytes of a JSON answer. */
const longestBody = 10 * 1_048_576
/** Bytes of a stream, of which no event is longer than a body. */
const longestStream = 1_073_741_824
const mostValues = 500_000

export interface Sending {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly message: Members | null
  readonly headers: Readonly<Record<string, string>>
  readonly signal?: AbortWatch
  /** Of a stream without an end of its own; default the server's time for a call. */
  readonly totalMs?: number
}

export interface UpstreamAnswer {
  readonly status: number
  /** `Mcp-Session-Id` of the answer. */
  readonly sessionId: string | null
  readonly form: 'json' | 'stream' | 'none'
  /** The messages, once. @throws UpstreamFault */
  readonly messages: AsyncIterable<Members>
  cancel(): void
}

export interface UpstreamLink {
  readonly parts: UpstreamParts
  readonly credentials: Credentials
}

/** @throws UpstreamFault */
export async function send(link: UpstreamLink, server: UpstreamServer, sending: Sending): Promise<UpstreamAnswer> {
  const credential = await link.credentials.headers(server)
  const { method, message, headers, signal, totalMs = server.timeouts.call_ms } = sending
  try {
    const response = await link.parts.egress.fetch({
      url: server.url,
      method,
      headers: {
        accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
        ...(message === null ? {} : { 'content-type': 'application/json' }),
        ...headers,
        ...credential,
      },
      ...(message === null ? {} : { body: exactJson(message) }),
      timeouts: { connectMs: server.timeouts.connect_ms, firstByteMs: totalMs, idleMs: totalMs, totalMs },
      maxBytes: longestStream,
      publicOnly: !server.internal,
      ...(signal === undefined ? {} : { signal }),
    })
    return answerOf(response)
  } catch (error) {
    throw UpstreamFault.of(error, 'The MCP server was not reached')
  }
}

function answerOf(response: EgressResponse): UpstreamAnswer {
  const type = String(response.headers['content-type'] ?? '').toLowerCase()
  const session = response.headers['mcp-session-id']
  const form = type.startsWith('text/event-stream') ? 'stream' : type.startsWith('application/json') ? 'json' : 'none'
  return {
    status: response.status,
    sessionId: typeof session === 'string' && /^[\x21-\x7e]{1,4096}$/.test(session) ? session : null,
    form,
    messages: form === 'none' ? nothing(response) : faulty(form === 'json' ? bodyOf(response) : eventsOf(response)),
    cancel: () => response.cancel(),
  }
}

/** No message; the rest is taken off the connection, so that it can be used again. */
async function* nothing(response: EgressResponse): AsyncGenerator<Members> {
  let bytes = 0
  for await (const chunk of response.body) {
    bytes += chunk.byteLength
    if (bytes > 65_536) break
  }
  yield* []
}

async function* faulty(messages: AsyncIterable<Members>): AsyncGenerator<Members> {
  try {
    yield* messages
  } catch (error) {
    if (error instanceof EventTooLong)
      throw new UpstreamFault('too_large', 'An event of the MCP server is too long.', { cause: error })
    if (error instanceof ProblemError)
      throw new UpstreamFault('unreadable', 'The MCP server sent a message that is not valid JSON.', { cause: error })
    throw UpstreamFault.of(error, 'The answer of the MCP server broke off')
  }
}

async function* bodyOf(response: EgressResponse): AsyncGenerator<Members> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body) {
    bytes += chunk.byteLength
    if (bytes > longestBody) throw new UpstreamFault('too_large', 'The answer of the MCP server is too large.')
    chunks.push(chunk)
  }
  if (bytes > 0) yield readMessage(Buffer.concat(chunks))
}

async function* eventsOf(response: EgressResponse): AsyncGenerator<Members> {
  for await (const { data } of readEvents(response.body)) yield readMessage(Buffer.from(data))
}

/** @throws ProblemError where two parsers could read two messages */
function readMessage(bytes: Uint8Array): Members {
  return objectOf(parseBody(bytes, { anyText: true, exactNumbers: true, maxValues: mostValues }))
}
