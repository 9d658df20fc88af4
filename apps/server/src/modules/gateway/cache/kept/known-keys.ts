/**
 * In-memory set of the keys of a tenant's kept answers, so that a lookup that would find nothing needs no database
 * query. Answers "no" only when no such answer is kept: exact for answers of this instance, up to a second late for
 * answers of other instances, which costs one extra miss. If the keys are not loaded yet, expired or too many, it
 * answers "maybe". Tested in known-keys.test.ts.
 */
import type { TenantId } from '../../../../kernel/access/actor.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import { createKeyFilter, type KeyFilter, keyDigits } from './key-filter.ts'
import { type KeysPage, lateMs } from './statements.ts'

export interface KnownKeys {
  /** False: nothing is stored under this key. */
  mayHold(tenantId: TenantId, key: string): boolean
  /** Called before the answer can be found. */
  added(tenantId: TenantId, key: string): void
}

export interface KnownKeysParts {
  readonly clock: Pick<Kernel['clock'], 'monotonic'>
  readonly background: Kernel['background']
  /** Keys of answers kept since then, oldest first. */
  readonly read: (tenantId: TenantId, since: string) => Promise<KeysPage>
  /** Milliseconds until answers of other instances are read again. */
  readonly refreshMs: number
  /** Most tenants remembered; default 500. */
  readonly mostTenants?: number
}

const smallest = 16_384
/** Two megabytes. Tenants with more keys are looked up in the database each time. */
const largest = 1_048_576

interface Known {
  readonly filter: KeyFilter
  /** Number of keys after the first load, null before it; entries added since may have been deleted long ago. */
  held: number | null
  /** Time of the newest answer read so far. */
  readTo: number
  /** Start time of the last complete read. */
  freshAt: number
  reading: boolean
  tooMany: boolean
}

const never = Number.NEGATIVE_INFINITY

export function createKnownKeys(parts: KnownKeysParts): KnownKeys {
  const { clock, refreshMs, mostTenants = 500 } = parts
  const tenants = new Map<TenantId, Known>()
  const knownOf = (tenantId: TenantId): Known => {
    const found = tenants.get(tenantId)
    const known = found === undefined ? knowing(smallest) : isFull(found) ? anew(found) : found
    if (known === found) return known
    tenants.delete(tenantId)
    tenants.set(tenantId, known)
    const [longestKnown] = tenants.keys()
    if (tenants.size > mostTenants && longestKnown !== undefined) tenants.delete(longestKnown)
    return known
  }
  return {
    mayHold: (tenantId, key) => {
      const known = knownOf(tenantId)
      if (known.tooMany) return true
      const age = clock.monotonic() - known.freshAt
      if (age > refreshMs && !known.reading) {
        known.reading = true
        parts.background('keys of kept answers', readUp(parts, tenantId, known))
      }
      // Keys stored by another instance since then are being read meanwhile.
      return age > 2 * refreshMs || known.filter.mayHold(key)
    },
    added: (tenantId, key) => knownOf(tenantId).filter.add(key),
  }
}

function knowing(capacity: number): Known {
  const tooMany = capacity > largest
  const filter = createKeyFilter(tooMany ? smallest : capacity)
  return { filter, held: null, readTo: 0, freshAt: never, reading: false, tooMany }
}

/**
 * Nothing is ever removed from a filter, so a full one counts all keys ever added: the next is larger only if the
 * current number of keys requires it.
 */
const anew = ({ filter: { capacity }, held }: Known): Known =>
  knowing(held !== null && held <= capacity / 2 ? capacity : capacity * 2)

const isFull = ({ filter, tooMany }: Known): boolean => !tooMany && filter.count() > filter.capacity

/** Reads until there is nothing newer, or until the filter is full, in which case a larger one replaces it. */
async function readUp({ clock, read }: KnownKeysParts, tenantId: TenantId, known: Known): Promise<void> {
  const beganAt = clock.monotonic()
  try {
    for (let since = Math.max(0, known.readTo - lateMs); !isFull(known); ) {
      const { prefixes, newest, isLast } = await read(tenantId, new Date(since).toISOString())
      for (let at = 0; at < prefixes.length; at += keyDigits) {
        const prefix = prefixes.slice(at, at + keyDigits)
        if (!known.filter.mayHold(prefix)) known.filter.add(prefix)
      }
      if (newest !== null) known.readTo = Math.max(known.readTo, Date.parse(newest))
      if (isLast) {
        known.freshAt = beganAt
        known.held ??= known.filter.count()
        return
      }
      // A page whose rows all have the same time leaves no point to continue from.
      if (known.readTo <= since) {
        known.tooMany = true
        return
      }
      since = known.readTo
    }
  } finally {
    known.reading = false
  }
}
