import type { Gap, Subscribed, Unsubscribed } from './frames.ts'
import type { Resume } from './positions.ts'

export interface SubscribeOptions {
  /** Where to begin; without it, with what comes from now on. */
  readonly resume?: Resume
  /** Only the newest event of each subject where the channel allows it. */
  readonly conflate?: boolean
  /** Another tenant's events; platform operators only. */
  readonly tenantId?: string
  readonly signal?: AbortSignal
  readonly onGap?: (gap: Gap) => void
  readonly onUnsubscribed?: (change: Unsubscribed) => void
}

/** Why a subscription is over. */
export type Ended =
  | { readonly by: 'caller' }
  /** The server closed for good, or refused the subscription. */
  | { readonly by: 'server'; readonly code: number | null; readonly errorCode: string; readonly detail: string }
  /** There is no credential, or it can be renewed no more. */
  | { readonly by: 'credential'; readonly error: unknown }
  | { readonly by: 'handler'; readonly error: unknown }

export interface Subscription {
  /** The server's first answer: what is delivered and what was refused. Rejects when it ends before that. */
  readonly ready: Promise<Subscribed>
  /** Resolves when it is over for good; never rejects. */
  readonly ended: Promise<Ended>
  /** Last event of each channel, to begin there another time. */
  readonly positions: Resume | undefined
  close(): void
}
