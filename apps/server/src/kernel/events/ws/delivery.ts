/**
 * Delivers the channels of one connection: live from the tail while the socket keeps up, from the table when it began in
 * the past or fell behind. Per channel every event goes out once, in order and without holes, as long as the connection
 * lives; memory stays flat however slow the other side is. Tested in delivery.test.ts.
 */

import type { TenantId } from '../../access/actor.ts'
import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../db/port.ts'
import type { LoopLog } from '../../lifecycle/loop.ts'
import type { LoggedEvent } from '../catalogue/logged-event.ts'
import { channelAfter } from '../log.ts'
import { type ChannelFeed, hold, releaseHeld } from './feed.ts'
import type { ControlFrame } from './frames.ts'
import type { StreamLimits } from './limits.ts'
import { LiveMessages } from './live-messages.ts'
import type { Wire } from './wire.ts'

export interface DeliveryParts {
  readonly db: Pick<Database, 'tenant'>
  readonly clock: Clock
  readonly log: LoopLog
  readonly limits: StreamLimits
  readonly wire: Wire
  readonly tenantId: TenantId
  /** The bytes this receiver gets, null when the event is not for it; `false` ends delivery (the token has expired). */
  readonly encode: (event: LoggedEvent, conflated: number) => Uint8Array | null | false
  readonly control: (frame: ControlFrame) => void
  /** The connection is to be closed, because it has been behind too far or too long. */
  readonly tooSlow: () => void
  /** At most so many connections read the table at a time. */
  readonly readSlot: <T>(read: () => Promise<T>) => Promise<T>
}

const mostHeld = 1_000

export class Delivery {
  readonly #parts: DeliveryParts
  readonly #feeds = new Map<string, ChannelFeed>()
  readonly #live: LiveMessages
  #catchingUp = false
  #draining = false
  #laggingSince: number | null = null

  constructor(parts: DeliveryParts) {
    this.#parts = parts
    this.#live = new LiveMessages(parts, (channel) => this.#feeds.has(channel))
  }

  get channels(): readonly string[] {
    return [...this.#feeds.keys()]
  }

  feed(channel: string): ChannelFeed | undefined {
    return this.#feeds.get(channel)
  }

  add(feed: ChannelFeed): void {
    this.#feeds.set(feed.channel, feed)
  }

  remove(channel: string): boolean {
    return this.#feeds.delete(channel)
  }

  /** Last sequence written, by channel. */
  positions(): Record<string, number> {
    const settled = [...this.#feeds.values()].filter((feed) => feed.mode !== 'opening')
    return Object.fromEntries(settled.map((feed) => [feed.channel, feed.held.size > 0 ? feed.heldFrom : feed.sequence]))
  }

  /** A live event of this tenant, or a message that is not logged: it has no sequence. */
  offer(event: LoggedEvent): void {
    const feed = this.#feeds.get(event.channel)
    if (feed === undefined) return
    if (event.sequence === 0) {
      if (feed.mode === 'live') this.#live.offer(event)
      return
    }
    feed.newest = Math.max(feed.newest, event.sequence)
    if (feed.mode !== 'live') {
      feed.missed = true
      return
    }
    if (event.sequence <= feed.sequence) return
    // A hole cannot come from the tail; should it, the table has what is missing.
    if (event.sequence !== feed.sequence + 1) this.#leaveToTable(feed)
    else if (feed.conflate && (feed.held.size > 0 || this.#parts.wire.congested)) this.#hold(feed, event)
    else if (this.#parts.wire.full) this.#fallBehind(feed)
    else this.#emit(feed, event)
  }

  /** Feeds from the table whatever is behind. */
  catchUp(): void {
    if (this.#catchingUp) return
    this.#catchingUp = true
    void this.#catchUpAll().finally(() => {
      this.#catchingUp = false
      if (this.#behind() !== undefined && this.#parts.wire.open) this.catchUp()
    })
  }

  /** To be called every second: gives up on a receiver that is too slow. */
  tick(now: number): void {
    const { limits, wire } = this.#parts
    if (wire.stalledMs > limits.laggingMs) {
      this.#parts.tooSlow()
      return
    }
    const lagging = [...this.#feeds.values()].filter((feed) => feed.lagging)
    if (lagging.length === 0) {
      this.#laggingSince = null
      return
    }
    this.#laggingSince ??= now
    const behind = lagging.reduce((sum, feed) => sum + feed.newest - feed.sequence, 0)
    if (now - this.#laggingSince <= limits.laggingMs && behind <= limits.laggingEvents) return
    for (const feed of lagging) this.#tellLag(feed)
    this.#parts.tooSlow()
  }

  #emit(feed: ChannelFeed, event: LoggedEvent, conflated = 0): boolean {
    const bytes = this.#parts.encode(event, conflated)
    if (bytes === false) return false
    if (bytes !== null) this.#parts.wire.send(bytes)
    feed.sequence = Math.max(feed.sequence, event.sequence)
    feed.lastEventId = event.id
    return true
  }

  #hold(feed: ChannelFeed, event: LoggedEvent): void {
    if (feed.held.size >= mostHeld) {
      this.#fallBehind(feed)
      return
    }
    hold(feed, event)
    if (this.#draining) return
    this.#draining = true
    void this.#parts.wire.drained().then(() => {
      this.#draining = false
      for (const each of this.#feeds.values()) this.#flushHeld(each)
    })
  }

  #flushHeld(feed: ChannelFeed): void {
    const held = [...feed.held.values()]
    feed.held.clear()
    for (const { event, replaced } of held) this.#emit(feed, event, replaced)
  }

  #fallBehind(feed: ChannelFeed): void {
    feed.lagging = true
    this.#leaveToTable(feed)
    this.#tellLag(feed)
  }

  #leaveToTable(feed: ChannelFeed): void {
    releaseHeld(feed)
    feed.mode = 'behind'
    feed.missed = true
    this.catchUp()
  }

  #tellLag(feed: ChannelFeed): void {
    const behind = Math.max(0, feed.newest - feed.sequence)
    this.#parts.control({ type: 'lagging', channel: feed.channel, behind, last_event_id: feed.lastEventId })
  }

  #behind(): ChannelFeed | undefined {
    for (const feed of this.#feeds.values()) if (feed.mode === 'behind') return feed
    return undefined
  }

  async #catchUpAll(): Promise<void> {
    const { wire } = this.#parts
    for (let feed = this.#behind(); feed !== undefined && wire.open; feed = this.#behind()) {
      await wire.drained()
      if (!wire.open) return
      try {
        if (!(await this.#catchUpPage(feed))) return
      } catch (error) {
        this.#parts.log.warn({ err: error }, 'events could not be read for a connection; trying again')
        await new Promise<void>((resolve) => this.#parts.clock.after(500, resolve))
      }
      this.#rotate(feed)
    }
  }

  /** The next page goes to another channel, so that a long replay does not hold up the short ones. */
  #rotate(feed: ChannelFeed): void {
    if (this.#feeds.get(feed.channel) !== feed) return
    this.#feeds.delete(feed.channel)
    this.#feeds.set(feed.channel, feed)
  }

  /** False when delivery has ended. */
  async #catchUpPage(feed: ChannelFeed): Promise<boolean> {
    const { db, limits, tenantId, wire } = this.#parts
    feed.missed = false
    const from = { tenantId, channel: feed.channel, sequence: feed.sequence, limit: limits.pageSize }
    const events = await this.#parts.readSlot(() =>
      db.tenant({ tenantId, readOnly: true }, (tx) => tx.query(channelAfter(from))),
    )
    if (this.#feeds.get(feed.channel) !== feed) return true
    this.#tellReplay(feed, 'replay_started')
    for (const event of events) {
      // Events that do not fit now are read again when the socket has drained; memory does not keep them meanwhile.
      if (wire.full) return true
      if (!this.#emit(feed, event)) return false
    }
    const atEnd = events.length < limits.pageSize
    if (atEnd || feed.sequence >= (feed.replay?.through ?? 0)) this.#tellReplay(feed, 'replay_completed')
    if (atEnd && !feed.missed) {
      feed.mode = 'live'
      feed.lagging = false
    }
    return true
  }

  #tellReplay(feed: ChannelFeed, type: 'replay_started' | 'replay_completed'): void {
    const { replay } = feed
    if (replay === null) return
    const { from, to, count } = replay
    if (type === 'replay_started') {
      if (!replay.told) this.#parts.control({ type, channel: feed.channel, from, to, count })
      replay.told = true
    } else {
      this.#parts.control({ type, channel: feed.channel, from, to, count })
      feed.replay = null
    }
  }
}
