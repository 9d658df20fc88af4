/** Bounds of one process and one connection; every number has its unit in its name. */
export interface StreamLimits {
  readonly connectionsPerTenant: number
  readonly connectionsPerUser: number
  readonly upgradesPerAddressPerMinute: number
  readonly failedAuthenticationsPerAddressPerMinute: number
  readonly channelsPerConnection: number
  readonly messageBytes: number
  readonly messagesPerSecond: number
  readonly messageBurst: number
  readonly authenticateWithinMs: number
  readonly pingEveryMs: number
  readonly idleMs: number
  readonly warnBeforeExpiryMs: number
  /** Beyond this much unsent data events are left in the table until the socket drains. */
  readonly unsentBytes: number
  readonly unsentFrames: number
  /** Beyond this much unsent data conflatable events are held back and merged. */
  readonly conflateBeyondBytes: number
  readonly laggingMs: number
  readonly laggingEvents: number
  readonly pageSize: number
  readonly violations: number
}

export const defaultLimits: StreamLimits = {
  connectionsPerTenant: 1_000,
  connectionsPerUser: 20,
  upgradesPerAddressPerMinute: 100,
  failedAuthenticationsPerAddressPerMinute: 10,
  channelsPerConnection: 100,
  messageBytes: 65_536,
  messagesPerSecond: 10,
  messageBurst: 30,
  authenticateWithinMs: 10_000,
  pingEveryMs: 25_000,
  idleMs: 300_000,
  warnBeforeExpiryMs: 60_000,
  unsentBytes: 1_048_576,
  unsentFrames: 1_000,
  conflateBeyondBytes: 65_536,
  laggingMs: 60_000,
  laggingEvents: 10_000,
  pageSize: 500,
  violations: 3,
}

/** WebSocket close codes; those from 4400 follow HTTP's meaning of the last three digits. */
export const closeCodes = {
  normal: 1000,
  shutdown: 1001,
  internal: 1011,
  overCapacity: 1013,
  protocol: 4400,
  unauthorized: 4401,
  forbidden: 4403,
  notAuthenticated: 4408,
  tooFast: 4429,
  slowConsumer: 4430,
  noPong: 4440,
} as const
export type CloseCode = (typeof closeCodes)[keyof typeof closeCodes]

/** A token bucket that is full at first; false when nothing is left. */
export function createBucket(perSecond: number, burst: number, now: () => number): { take(): boolean } {
  let tokens = burst
  let filledAt = now()
  return {
    take: () => {
      const at = now()
      tokens = Math.min(burst, tokens + ((at - filledAt) / 1_000) * perSecond)
      filledAt = at
      if (tokens < 1) return false
      tokens -= 1
      return true
    },
  }
}
