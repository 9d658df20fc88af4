import { isRecord } from '../http/problem.ts'

/** An event as every receiver gets it: CloudEvents 1.0 with the platform's extensions. */
export interface StreamEvent {
  readonly specversion: '1.0'
  readonly id: string
  readonly source: string
  readonly type: string
  readonly subject: string
  readonly time: string
  readonly channel: string
  /** Counts per tenant and channel, 20 digits, so that it sorts as text. */
  readonly sequence: string
  readonly causationdepth: number
  readonly traceparent?: string
  /** Number of older events this one replaces. */
  readonly conflated?: number
  readonly data?: Readonly<Record<string, unknown>>
  /** Where data too large for a frame can be read. */
  readonly dataref?: string
}

export interface Subscribed {
  /** Concrete channels that are delivered now. */
  readonly channels: readonly string[]
  readonly patterns: readonly string[]
  readonly rejected: readonly { readonly channel: string; readonly error_code: string; readonly detail: string }[]
  /** Newest event of each channel; null where there is none. */
  readonly positions: Readonly<Record<string, string | null>>
}

/** Events were lost to this subscriber; what they told must be read over REST. */
export interface Gap {
  readonly channel: string
  readonly requested_event_id: string | null
  readonly oldest_event_id: string | null
  readonly reason: 'expired' | 'unknown'
}

/** Channels that are delivered no longer, though nobody here asked for that. */
export interface Unsubscribed {
  readonly channels: readonly string[]
  readonly reason: 'requested' | 'permission_lost' | 'channel_retired'
}

export interface ErrorFrame {
  readonly error_code: string
  readonly title: string
  readonly detail: string
  readonly fatal: boolean
  readonly reply_to?: string | number
}

export type Frame =
  | { readonly type: 'event'; readonly event: StreamEvent }
  | { readonly type: 'authenticated' }
  | ({ readonly type: 'subscribed' } & Subscribed)
  | ({ readonly type: 'unsubscribed' } & Unsubscribed)
  | ({ readonly type: 'gap' } & Gap)
  | { readonly type: 'token_expiring' }
  | { readonly type: 'going_away'; readonly reconnect_after_ms: number }
  | ({ readonly type: 'error' } & ErrorFrame)
  | { readonly type: 'other' }

const known = new Set(['authenticated', 'subscribed', 'unsubscribed', 'gap', 'token_expiring', 'going_away', 'error'])

/** Here bytes become a frame; what a newer server may add is `other`. */
export function readFrame(data: unknown): Frame {
  const value = parse(String(data))
  if (typeof value.specversion === 'string') return { type: 'event', event: value as unknown as StreamEvent }
  if (typeof value.type !== 'string' || !known.has(value.type)) return { type: 'other' }
  return value as unknown as Frame
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : {}
  } catch {
    // The server sends JSON only; anything else is passed over like an unknown frame.
    return {}
  }
}
