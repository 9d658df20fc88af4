import type { LoggedEvent } from '../catalogue/logged-event.ts'
import type { Start } from './starts.ts'

export interface Held {
  readonly event: LoggedEvent
  /** Number of older events it replaces. */
  readonly replaced: number
}

/** One channel of one connection: how far it got and where its next event comes from. */
export interface ChannelFeed {
  readonly channel: string
  readonly conflate: boolean
  /**
   * `opening`: its start is being looked up. `behind`: fed from the table until it has caught up. `live`: fed by the
   * tail. While it is not live, live events only leave the mark `missed`.
   */
  mode: 'opening' | 'behind' | 'live'
  /** Last sequence handed over, or held for merging. */
  sequence: number
  lastEventId: string | null
  /** Highest sequence the tail has shown. */
  newest: number
  missed: boolean
  /** It fell behind because the socket was full, not because it began in the past. */
  lagging: boolean
  replay: (NonNullable<Start['replay']> & { readonly to: string | null; told: boolean }) | null
  readonly held: Map<string, Held>
  /** Sequence before the first held event; held events are read again when merging is given up. */
  heldFrom: number
}

export function openFeed(channel: string, conflate: boolean): ChannelFeed {
  return {
    channel,
    conflate,
    mode: 'opening',
    sequence: 0,
    lastEventId: null,
    newest: 0,
    missed: false,
    lagging: false,
    replay: null,
    held: new Map(),
    heldFrom: 0,
  }
}

/** Puts an opening feed to where it begins. */
export function beginFeed(feed: ChannelFeed, start: Start): void {
  feed.sequence = start.sequence
  feed.newest = Math.max(feed.newest, start.newest?.sequence ?? 0)
  feed.replay = start.replay === null ? null : { ...start.replay, to: start.newest?.id ?? null, told: false }
  feed.mode = feed.replay !== null || feed.missed ? 'behind' : 'live'
}

/** Keeps the newest event per subject and counts the replaced ones. */
export function hold(feed: ChannelFeed, event: LoggedEvent): void {
  if (feed.held.size === 0) feed.heldFrom = feed.sequence
  const older = feed.held.get(event.subject)
  // Taken out first, so that the map stays in the order of the sequences.
  feed.held.delete(event.subject)
  feed.held.set(event.subject, { event, replaced: older === undefined ? 0 : older.replaced + 1 })
  feed.sequence = event.sequence
}

/** Gives up merging: the held events are left to the table. */
export function releaseHeld(feed: ChannelFeed): void {
  if (feed.held.size === 0) return
  feed.sequence = feed.heldFrom
  feed.held.clear()
}
