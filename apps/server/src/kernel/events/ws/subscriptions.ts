import type { Actor, TenantId } from '../../access/actor.ts'
import { apiErrors, authErrors } from '../../errors/errors.ts'
import type { LoggedEvent } from '../catalogue/logged-event.ts'
import { canRead, type Selection, selectChannels } from './channels.ts'
import type { Connection } from './connection.ts'
import { Delivery } from './delivery.ts'
import { acknowledgedSequences, type Durable, keepDurable, openDurable } from './durable.ts'
import { beginFeed, type ChannelFeed, openFeed } from './feed.ts'
import { type ControlFrame, replyMember } from './frames.ts'
import type { ReplyTo, Subscribe } from './messages.ts'
import { findStarts, isResumePosition, type Start, type Wanted } from './starts.ts'
import type { StreamKernel } from './stream.ts'
import type { Wire } from './wire.ts'

export interface SubscriptionParts {
  readonly connection: Pick<Connection, 'id'>
  readonly wire: Wire
  readonly encode: (event: LoggedEvent, conflated: number) => Uint8Array | null | false
  readonly control: (frame: ControlFrame) => void
  readonly tooSlow: () => void
}

/**
 * Subscriptions of one connection: channels of one tenant, its standing patterns and, if named, its durable position.
 */
export class Subscriptions {
  readonly #kernel: StreamKernel
  readonly #parts: SubscriptionParts
  /** Names and patterns in force. */
  readonly #asked = new Set<string>()
  readonly #patterns = new Set<string>()
  /** Channels a pattern covers and the client does not want. */
  readonly #declined = new Set<string>()
  #delivery: Delivery | null = null
  #tenantId: TenantId | null = null
  #durable: Durable | null = null
  #stored: Readonly<Record<string, number>> = {}
  #storedAt = 0
  #closed = false
  #leave: () => void = () => undefined

  constructor(kernel: StreamKernel, parts: SubscriptionParts) {
    this.#kernel = kernel
    this.#parts = parts
  }

  get tenantId(): TenantId | null {
    return this.#tenantId
  }

  get empty(): boolean {
    return this.#delivery === null || (this.#delivery.channels.length === 0 && this.#patterns.size === 0)
  }

  get durableId(): string | null {
    return this.#durable?.id ?? null
  }

  offer(event: LoggedEvent): void {
    this.#delivery?.offer(event)
  }

  tick(now: number): void {
    this.#delivery?.tick(now)
    this.#keepPositions()
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#leave()
    this.#keepPositions()
  }

  /** @throws ProblemError for errors of the whole message; single channels are refused in the answer */
  async subscribe(actor: Actor, message: Subscribe, replyTo: ReplyTo): Promise<void> {
    if (message.filter !== undefined) throw apiErrors.malformedFrame({ what: 'Filters are not supported.' })
    if (!isResumePosition(message.resume)) throw apiErrors.badResume()
    const tenantId = await this.#chooseTenant(actor, message)
    const selection = selectChannels(this.#kernel.catalogue, actor, message.channels)
    this.#expectRoom(message.channels, selection)
    const delivery = this.#deliveryOf(tenantId)
    const durable = await this.#openDurable(actor, tenantId, message.durable)
    for (const pattern of selection.patterns) this.#patterns.add(pattern)
    for (const channel of selection.channels) this.#declined.delete(channel)
    const added = this.#openFeeds(delivery, selection.channels, message)
    const stored = durable === null ? {} : { stored: durable.positions }
    const starts = await this.#starts(delivery, added, { resume: message.resume, ...stored })
    this.#parts.control({
      type: 'subscribed',
      channels: [...delivery.channels],
      patterns: [...this.#patterns],
      rejected: [...selection.rejected],
      positions: Object.fromEntries([...starts].map(([channel, start]) => [channel, start.newest?.id ?? null])),
      ...replyMember(replyTo),
    })
    this.#begin(delivery, added, starts)
  }

  unsubscribe(names: readonly string[], replyTo: ReplyTo): void {
    const covered = selectNames(names, this.#delivery?.channels ?? [])
    for (const name of names) {
      this.#asked.delete(name)
      this.#patterns.delete(name)
    }
    const channels = covered.filter((channel) => this.#delivery?.remove(channel) === true)
    for (const channel of channels) this.#declined.add(channel)
    this.#parts.control({ type: 'unsubscribed', channels, reason: 'requested', ...replyMember(replyTo) })
  }

  /** @throws API-021 without a durable subscription */
  async acknowledge(positions: Readonly<Record<string, string>>, replyTo: ReplyTo): Promise<void> {
    if (this.#durable === null || this.#tenantId === null) {
      throw apiErrors.malformedFrame({ what: 'Only a durable subscription is acknowledged.' })
    }
    const sequences = await acknowledgedSequences(this.#kernel, this.#tenantId, positions)
    this.#durable = { ...this.#durable, acknowledges: true }
    await keepDurable(this.#kernel, this.#tenantId, { ...this.#durable, positions: sequences })
    this.#parts.control({ type: 'acknowledged', channels: Object.keys(sequences), ...replyMember(replyTo) })
  }

  /** Takes away what may no longer be read and adds what the patterns now cover. */
  async rightsChanged(actor: Actor): Promise<void> {
    const delivery = this.#delivery
    if (delivery === null) return
    const { catalogue } = this.#kernel
    const lost = delivery.channels.filter((channel) => {
      const event = catalogue.get(channel)
      return event === undefined || !canRead(actor, event)
    })
    for (const channel of lost) delivery.remove(channel)
    if (lost.length > 0) this.#parts.control({ type: 'unsubscribed', channels: lost, reason: 'permission_lost' })
    const covered = selectChannels(catalogue, actor, [...this.#patterns]).channels
    const wanted = covered.filter((channel) => !this.#declined.has(channel))
    const added = this.#openFeeds(delivery, wanted, { conflate: false })
    if (added.length === 0) return
    this.#begin(delivery, added, await this.#starts(delivery, added, {}))
  }

  async #chooseTenant(actor: Actor, message: Subscribe): Promise<TenantId> {
    const wanted = (message.tenant_id?.toLowerCase() ?? this.#tenantId ?? actor.tenantId) as TenantId
    if (this.#tenantId !== null && wanted !== this.#tenantId && !this.empty) {
      throw apiErrors.malformedFrame({ what: 'A connection follows one tenant; open another connection.' })
    }
    if (wanted === actor.tenantId || wanted === this.#tenantId) return wanted
    if (!actor.operator) throw authErrors.tenantMismatch()
    await this.#kernel.admission.followOther(this.#parts.connection.id, { actor, tenantId: wanted, message })
    return wanted
  }

  #expectRoom(asked: readonly string[], selection: Selection): void {
    const refused = new Set(selection.rejected.map((each) => each.channel))
    const names = new Set([...this.#asked, ...asked.filter((name) => !refused.has(name))])
    const most = this.#kernel.limits.channelsPerConnection
    if (names.size > most) throw apiErrors.tooMany({ what: `A connection follows at most ${most} names and patterns.` })
    for (const name of names) this.#asked.add(name)
  }

  #deliveryOf(tenantId: TenantId): Delivery {
    if (this.#delivery !== null && this.#tenantId === tenantId) return this.#delivery
    this.#leave()
    const delivery = new Delivery({ ...this.#kernel, ...this.#parts, tenantId })
    this.#delivery = delivery
    this.#tenantId = tenantId
    this.#leave = this.#kernel.follow(tenantId, this)
    return delivery
  }

  async #openDurable(actor: Actor, tenantId: TenantId, name: string | undefined): Promise<Durable | null> {
    if (name === undefined || this.#durable?.name === name) return this.#durable
    if (this.#durable !== null) throw apiErrors.malformedFrame({ what: 'A connection has one durable name.' })
    const owner = { tenantId, userId: actor.userId, connectionId: this.#parts.connection.id }
    const durable = await openDurable(this.#kernel, owner, name)
    if (durable === null) throw apiErrors.tooMany({ what: 'The tenant has too many durable subscriptions.' })
    this.#durable = durable
    return durable
  }

  /** Feeds exist before their start is known, so that no event between the two goes unnoticed. */
  #openFeeds(
    delivery: Delivery,
    channels: readonly string[],
    message: Pick<Subscribe, 'resume' | 'conflate'>,
  ): readonly ChannelFeed[] {
    const restarted = (channel: string): boolean =>
      message.resume !== undefined && (typeof message.resume === 'string' || message.resume[channel] !== undefined)
    const fresh = channels.filter((channel) => delivery.feed(channel) === undefined || restarted(channel))
    return fresh.map((channel) => {
      const conflatable = this.#kernel.catalogue.get(channel)?.conflatable ?? false
      const feed = openFeed(channel, conflatable && message.conflate === true)
      delivery.add(feed)
      return feed
    })
  }

  async #starts(delivery: Delivery, added: readonly ChannelFeed[], wanted: Wanted): Promise<Map<string, Start>> {
    if (added.length === 0 || this.#tenantId === null) return new Map()
    try {
      const channels = added.map((feed) => feed.channel)
      // A look that began before this tenant was followed hands over none of its events, however new.
      await this.#kernel.settled()
      return await findStarts(this.#kernel.db, {
        tenantId: this.#tenantId,
        channels,
        wanted,
        keptSince: (channel) => this.#kernel.keptSince(channel),
      })
    } catch (error) {
      for (const feed of added) if (delivery.feed(feed.channel) === feed) delivery.remove(feed.channel)
      throw error
    }
  }

  #begin(delivery: Delivery, added: readonly ChannelFeed[], starts: ReadonlyMap<string, Start>): void {
    for (const feed of added) {
      const start = starts.get(feed.channel)
      if (start === undefined || delivery.feed(feed.channel) !== feed) continue
      if (start.gap !== null) {
        const { requested, oldest, reason } = start.gap
        const ids = { requested_event_id: requested, oldest_event_id: oldest }
        this.#parts.control({ type: 'gap', channel: feed.channel, ...ids, reason })
      }
      beginFeed(feed, start)
    }
    delivery.catchUp()
  }

  /** Without acknowledgements a position moves when the event is written to the socket. */
  #keepPositions(): void {
    const durable = this.#durable
    if (durable === null || this.#tenantId === null || this.#delivery === null) return
    const positions = durable.acknowledges ? {} : this.#delivery.positions()
    const moved = Object.entries(positions).filter(([channel, sequence]) => this.#stored[channel] !== sequence)
    const now = this.#kernel.clock.now()
    // Once an hour even when nothing moved: a subscription in use must not pass for an idle one.
    if (moved.length === 0 && now - this.#storedAt < 3_600_000) return
    this.#stored = positions
    this.#storedAt = now
    const kept = keepDurable(this.#kernel, this.#tenantId, { ...durable, positions: Object.fromEntries(moved) })
    this.#kernel.background('durable position', kept)
  }
}

function selectNames(names: readonly string[], channels: readonly string[]): readonly string[] {
  return channels.filter((channel) =>
    names.some((name) => name === channel || (name.endsWith('*') && channel.startsWith(name.slice(0, -1)))),
  )
}
