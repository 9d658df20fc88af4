import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../access/actor.ts'
import { Aborter, type AbortWatch } from '../base/abort.ts'
import type { Origin } from '../db/port.ts'
import type { LimitDecision } from '../limits/port.ts'
import type { RequestInfo } from '../module/route.ts'
import type { AnswerFacts } from './answer/envelope.ts'

/** State of one request in the HTTP layer; made when its headers are there, gone with its answer. */
export class Call implements RequestInfo, AnswerFacts {
  readonly id: string
  readonly traceparent: string
  /** The caller's span; null where the trace begins here. */
  readonly parentSpanId: string | null
  readonly path: string
  readonly ip: string
  readonly startedMs: number
  readonly timestamp: string
  actor: Actor | null = null
  limit: LimitDecision | null = null
  errorCode: string | null = null
  /** All that its route reads of it is read and in its form. */
  isRead = false
  /** The id that the answer's header carries. */
  shownId: string
  /** Headers of its answer in the place of the common ones. */
  ownHeaders: Readonly<Record<string, string>> | null = null
  /** Its end was written down. */
  isObserved = false
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  #abort: Aborter | null = null

  constructor(request: FastifyRequest, reply: FastifyReply, facts: CallFacts) {
    this.#request = request
    this.#reply = reply
    this.id = facts.id
    this.shownId = facts.id
    this.traceparent = facts.traceparent
    this.parentSpanId = facts.parentSpanId
    this.startedMs = facts.startedMs
    this.timestamp = facts.timestamp
    const query = request.url.indexOf('?')
    this.path = query === -1 ? request.url : request.url.slice(0, query)
    this.ip = request.ip
  }

  get requestId(): string {
    return this.id
  }

  get userAgent(): string | null {
    return this.#request.headers['user-agent']?.slice(0, 512) ?? null
  }

  /** A parameter of the query that stands once; undefined for none and for several. */
  query(name: string): string | undefined {
    const value = (this.#request.query as Readonly<Record<string, unknown>>)[name]
    return typeof value === 'string' ? value : undefined
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name]
    return typeof value === 'string' ? value : value?.[0]
  }

  /** Aborts when the client goes away before the answer is complete. Made at first use: most requests never ask. */
  get signal(): AbortWatch {
    if (this.#abort === null) {
      const abort = new Aborter()
      const raw = this.#reply.raw
      raw.once('close', () => {
        if (!raw.writableFinished) abort.abort()
      })
      if (raw.destroyed && !raw.writableFinished) abort.abort()
      this.#abort = abort
    }
    return this.#abort
  }
}

/** The call as the origin of a transaction. Reads are cancelled when the client goes away; a change runs to its end. */
export class CallOrigin implements Origin {
  readonly #call: Call
  readonly #cancels: boolean
  readonly causationDepth = 0

  constructor(call: Call, cancels: boolean) {
    this.#call = call
    this.#cancels = cancels
  }

  get actor(): Actor | null {
    return this.#call.actor
  }

  get requestId(): string {
    return this.#call.id
  }

  get ip(): string {
    return this.#call.ip
  }

  get userAgent(): string | null {
    return this.#call.userAgent
  }

  get traceparent(): string {
    return this.#call.traceparent
  }

  get signal(): AbortWatch | null {
    return this.#cancels ? this.#call.signal : null
  }
}

export interface CallFacts {
  readonly id: string
  readonly traceparent: string
  readonly parentSpanId: string | null
  readonly startedMs: number
  readonly timestamp: string
}

declare module 'fastify' {
  interface FastifyRequest {
    call: Call
  }
}
