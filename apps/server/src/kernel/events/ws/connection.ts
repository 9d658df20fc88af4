/**
 * One connection of the stream: its owner, its end, and its sent events. It promises that no event leaves
 * before `authenticated`, at or after the token's end, without the right to read it, or of another tenant than the one
 * it follows. The network is behind `Wire`. Tested in connection.test.ts.
 */

import type { Actor } from '../../access/actor.ts'
import { apiErrors, authErrors } from '../../errors/errors.ts'
import { ProblemError } from '../../errors/problem.ts'
import type { LoggedEvent } from '../catalogue/logged-event.ts'
import { personalView } from './channels.ts'
import { authenticatedFrame, type ControlFrame, errorFrame, type FrameWriter, replyMember } from './frames.ts'
import { type CloseCode, closeCodes, createBucket } from './limits.ts'
import { type ClientMessage, type ReplyTo, readMessage } from './messages.ts'
import type { StreamKernel } from './stream.ts'
import { Subscriptions } from './subscriptions.ts'
import type { Wire } from './wire.ts'

export interface Identity {
  readonly actor: Actor
  /** Unix seconds; null when the credential has no end. */
  readonly expiresAt: number | null
}

export interface ConnectionParts {
  readonly kernel: StreamKernel
  readonly wire: Wire
  readonly write: FrameWriter
  readonly ip: string
  readonly id: string
}

export class Connection {
  readonly id: string
  readonly ip: string
  readonly subscriptions: Subscriptions
  identity: Identity | null = null
  readonly #kernel: StreamKernel
  readonly #wire: Wire
  readonly #write: FrameWriter
  readonly #bucket: { take(): boolean }
  readonly #openedAt: number
  #inbox: Promise<void> = Promise.resolve()
  #violations = 0
  #activeAt: number
  #pingAt: number
  #unanswered = 0
  #warned = false

  constructor(parts: ConnectionParts) {
    this.id = parts.id
    this.ip = parts.ip
    this.#kernel = parts.kernel
    this.#wire = parts.wire
    this.#write = parts.write
    const { clock, limits } = parts.kernel
    this.#openedAt = clock.now()
    this.#activeAt = this.#openedAt
    this.#pingAt = this.#openedAt + limits.pingEveryMs
    this.#bucket = createBucket(limits.messagesPerSecond, limits.messageBurst, () => clock.now())
    this.subscriptions = new Subscriptions(parts.kernel, {
      connection: this,
      wire: parts.wire,
      encode: (event, conflated) => this.#encode(event, conflated),
      control: (frame) => this.send(frame),
      tooSlow: () => this.end(closeCodes.slowConsumer, 'API-009'),
    })
  }

  get open(): boolean {
    return this.#wire.open
  }

  send(frame: ControlFrame): void {
    this.#wire.send(this.#write(frame))
  }

  /** A text frame from the client. Messages are worked off one after the other. */
  receive(text: string): void {
    if (!this.open) return
    if (!this.#bucket.take()) {
      this.fatal(apiErrors.rateLimited({ seconds: 1 }), closeCodes.tooFast)
      return
    }
    this.#activeAt = this.#kernel.clock.now()
    this.#enqueue(() => this.#handle(text))
  }

  /** Authenticates with a credential that came with the upgrade. */
  present(token: string): void {
    this.#enqueue(() => this.#authenticate(token, undefined))
  }

  pong(): void {
    this.#unanswered = 0
  }

  /** Ends the connection; the reason is an error code and never free text. */
  end(code: CloseCode, reason: string): void {
    this.subscriptions.close()
    this.#wire.close(code, reason)
  }

  fatal(problem: ProblemError, code: CloseCode, replyTo?: ReplyTo): void {
    this.send(errorFrame(problem, replyTo, true))
    this.end(code, problem.code)
  }

  goingAway(): void {
    const { random } = this.#kernel
    this.send({ type: 'going_away', reconnect_after_ms: Math.floor(random.fraction() * 5_001) })
    this.end(closeCodes.shutdown, '')
  }

  /** To be called every second. */
  tick(now: number): void {
    const { limits } = this.#kernel
    if (!this.open) return
    if (this.identity === null) {
      if (now - this.#openedAt >= limits.authenticateWithinMs) {
        this.fatal(apiErrors.authenticateFirst(), closeCodes.notAuthenticated)
      }
      return
    }
    if (this.#expired(now)) return
    this.#warnOfExpiry(now)
    if (this.#idle(now)) this.end(closeCodes.normal, '')
    else this.#keepAlive(now)
    this.subscriptions.tick(now)
  }

  /** Checks the identity and its current read permissions; called after a revocation or a change of rights. */
  async recheck(): Promise<void> {
    const { identity } = this
    if (identity === null || !this.open) return
    const actor = await this.#kernel.auth.refresh(identity.actor, identity.expiresAt, this.ip)
    if (!this.open || this.identity !== identity) return
    if (actor === null) return this.fatal(authErrors.invalid(), closeCodes.unauthorized)
    if (actor.tenantStatus !== 'active') return this.fatal(authErrors.tenantSuspended(), closeCodes.forbidden)
    this.identity = { actor, expiresAt: identity.expiresAt }
    await this.subscriptions.rightsChanged(actor)
  }

  #enqueue(work: () => Promise<void>): void {
    this.#inbox = this.#inbox.then(work).catch((error: unknown) => {
      this.#kernel.log.error({ err: error, connection: this.id }, 'a stream message failed')
      this.fatal(apiErrors.internal(), closeCodes.internal)
    })
  }

  async #handle(text: string): Promise<void> {
    if (!this.open) return
    const read = readMessage(text)
    if ('problem' in read) return this.#violation(read.problem, read.replyTo)
    const { message, replyTo } = read
    if (message.type === 'authenticate') return this.#authenticate(message.token, replyTo)
    if (this.identity === null) return this.#violation(apiErrors.authenticateFirst(), replyTo)
    if (this.#expired(this.#kernel.clock.now())) return
    await this.#serve(this.identity, message, replyTo)
  }

  async #serve(identity: Identity, message: Exclude<ClientMessage, { type: 'authenticate' }>, replyTo: ReplyTo) {
    try {
      switch (message.type) {
        case 'ping': {
          const id = message.id === undefined ? {} : { id: message.id }
          const server_time = this.#kernel.clock.iso()
          return this.send({ type: 'pong', ...id, server_time, ...replyMember(replyTo) })
        }
        case 'subscribe':
          return await this.subscriptions.subscribe(identity.actor, message, replyTo)
        case 'unsubscribe':
          return this.subscriptions.unsubscribe(message.channels, replyTo)
        case 'ack':
          return await this.subscriptions.acknowledge(message.positions, replyTo)
        default:
          return unreachable(message)
      }
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      this.send(errorFrame(error, replyTo, false))
    }
  }

  #violation(problem: ProblemError, replyTo: ReplyTo): void {
    this.#violations += 1
    if (this.#violations >= this.#kernel.limits.violations) this.fatal(problem, closeCodes.protocol, replyTo)
    else this.send(errorFrame(problem, replyTo, false))
  }

  async #authenticate(token: string | undefined, replyTo: ReplyTo): Promise<void> {
    const outcome = await this.#kernel.admission.authenticate(this, token)
    if (!this.open) return
    if ('problem' in outcome) return this.fatal(outcome.problem, outcome.code, replyTo)
    const { identity } = outcome
    const renewal = this.identity !== null
    this.identity = identity
    this.#warned = false
    this.send(authenticatedFrame(this, identity, { ...this.#kernel, replyTo }))
    if (renewal) await this.subscriptions.rightsChanged(identity.actor)
  }

  /** Checked for every single event: a timer alone would let events out after the end. */
  #encode(event: LoggedEvent, conflated: number): Uint8Array | null | false {
    const { identity } = this
    if (identity === null || this.#expired(this.#kernel.clock.now())) return false
    const view = personalView(event, identity.actor)
    return view === null ? null : this.#kernel.encode(view, conflated)
  }

  #expired(now: number): boolean {
    const end = this.identity?.expiresAt ?? null
    if (end === null || now < end * 1_000) return false
    if (this.open) this.fatal(authErrors.expired(), closeCodes.unauthorized)
    return true
  }

  #warnOfExpiry(now: number): void {
    const end = this.identity?.expiresAt ?? null
    if (end === null || this.#warned) return
    const left = end * 1_000 - now
    if (left > this.#kernel.limits.warnBeforeExpiryMs) return
    this.#warned = true
    this.send({ type: 'token_expiring', expires_at: new Date(end * 1_000).toISOString(), expires_in_ms: left })
  }

  #idle(now: number): boolean {
    return this.subscriptions.empty && now - this.#activeAt >= this.#kernel.limits.idleMs
  }

  #keepAlive(now: number): void {
    if (now < this.#pingAt) return
    if (this.#unanswered >= 2) {
      this.end(closeCodes.noPong, '')
      return
    }
    this.#pingAt = now + this.#kernel.limits.pingEveryMs
    this.#unanswered += 1
    this.#wire.ping()
  }
}

function unreachable(message: never): never {
  throw new TypeError(`Unhandled message ${JSON.stringify(message)}`)
}
