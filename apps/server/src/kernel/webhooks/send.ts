/**
 * One attempt to deliver one message, through the guarded way out: no redirects, a time limit, and of the answer only its
 * beginning is read. Any behavior of the receiver is an outcome, never an error. Tested in send.test.ts.
 */
import type { AbortWatch } from '../base/abort.ts'
import type { Clock } from '../base/clock.ts'
import { EgressError } from '../egress/errors.ts'
import type { EgressRequest, EgressResponse } from '../egress/exchange.ts'
import type { Egress } from '../egress/fetch.ts'
import { type SignedMessage, signedHeaders } from './sign.ts'

export interface WebhookMessage extends SignedMessage {
  readonly url: string
  /** Beside those of the standard, for instance of a trace. They cannot replace those. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface WebhookParts {
  readonly egress: Pick<Egress, 'fetch'>
  readonly clock: Pick<Clock, 'now'>
}

/** How an attempt ended. */
export interface AttemptOutcome {
  /** Anything but a 2xx is a failure. */
  readonly delivered: boolean
  /** Null where no answer came. */
  readonly status: number | null
  /** In a few words, without addresses that a name resolved to; null for a delivered one. */
  readonly error: string | null
  /** The beginning of the answer's body as text, at most 1,024 bytes. */
  readonly answer: string
  /** The receiver wants no more messages (410). */
  readonly gone: boolean
  /** The pause that the receiver asked for; null where it asked for none. */
  readonly retryAfterMs: number | null
  readonly durationMs: number
}

const timeoutMs = 15_000
const answerBytes = 1_024
/** A longer pause than a day is none that anybody waits for. */
const longestRetryAfterMs = 86_400_000

/** @throws Error when no secret of the message is in force or one is malformed */
export function sendWebhook(
  parts: WebhookParts,
  message: WebhookMessage,
  signal?: AbortWatch,
): Promise<AttemptOutcome> {
  const headers = {
    ...message.headers,
    'content-type': 'application/json',
    'user-agent': 'Parapet-Webhooks',
    ...signedHeaders(message, parts.clock.now()),
  }
  return sendRequest(parts, { url: message.url, method: 'POST', headers, body: message.body }, signal)
}

/** One attempt at any request that delivers something, judged and bounded as a webhook is. */
export async function sendRequest(
  { egress, clock }: WebhookParts,
  request: Pick<EgressRequest, 'url' | 'method' | 'headers' | 'body'>,
  signal?: AbortWatch,
): Promise<AttemptOutcome> {
  const startedMs = clock.now()
  try {
    const response = await egress.fetch({
      ...request,
      timeouts: { connectMs: timeoutMs, firstByteMs: timeoutMs, idleMs: timeoutMs, totalMs: timeoutMs },
      maxBytes: Number.MAX_SAFE_INTEGER,
      ...(signal === undefined ? {} : { signal }),
    })
    const answer = await beginningOf(response)
    return { ...judged(response, clock.now()), answer, durationMs: clock.now() - startedMs }
  } catch (error) {
    if (!(error instanceof EgressError) || signal?.aborted === true) throw error
    return { ...unanswered, error: error.brief, durationMs: clock.now() - startedMs }
  }
}

const unanswered = { delivered: false, status: null, answer: '', gone: false, retryAfterMs: null } as const

type Judgment = Omit<AttemptOutcome, 'answer' | 'durationMs'>

function judged({ status, headers }: EgressResponse, nowMs: number): Judgment {
  const delivered = status >= 200 && status <= 299
  return {
    delivered,
    status,
    error: delivered ? null : `answered ${status}`,
    gone: status === 410,
    retryAfterMs: delivered ? null : retryAfter(headers['retry-after'], nowMs),
  }
}

/** Seconds or an HTTP date (RFC 9110, 10.2.3). */
function retryAfter(header: string | string[] | undefined, nowMs: number): number | null {
  if (typeof header !== 'string') return null
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, longestRetryAfterMs) : null
}

/** An answer that breaks off was an answer all the same: its status says what became of the message. */
async function beginningOf({ body }: EgressResponse): Promise<string> {
  const pieces: Uint8Array[] = []
  let size = 0
  try {
    for await (const piece of body) {
      pieces.push(piece)
      size += piece.length
      if (size >= answerBytes) break
    }
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
  }
  return Buffer.concat(pieces).subarray(0, answerBytes).toString('utf8').replaceAll('\0', '')
}
