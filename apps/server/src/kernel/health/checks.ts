/**
 * Checks that parts of the program hand in when they are made: what they depend on and how they find out whether it
 * works. The registry runs nothing; who shows health does. Tested through the health of the administration module.
 */
import type { TenantId } from '../access/actor.ts'

/** What a check saw. Throwing means that it failed; the class of the error is told, never its message. */
export interface Finding {
  readonly status: 'pass' | 'warn' | 'fail'
  /** Numbers and words for the reader; units stand in the names. */
  readonly observed?: Readonly<Record<string, string | number | boolean | null>>
}

export interface HealthCheck {
  readonly name: string
  /** Milliseconds after which it counts as failed; default 2,000. */
  readonly timeoutMs?: number
  /**
   * Milliseconds for which a good finding is good enough whoever asks, for what others would mind being asked often. A
   * finding that differs from the last ones is confirmed or denied at the next look all the same.
   */
  readonly everyMs?: number
  readonly run: (signal: AbortSignal) => Promise<Finding>
}

/** A check of what belongs to one tenant; asked for when that tenant looks. */
export interface TenantCheck {
  readonly name: string
  readonly timeoutMs?: number
  readonly run: (tenantId: TenantId, signal: AbortSignal) => Promise<Finding>
}

export interface HealthChecks {
  add(check: HealthCheck): void
  addForTenants(check: TenantCheck): void
  readonly platform: readonly HealthCheck[]
  readonly tenant: readonly TenantCheck[]
}

export function createHealthChecks(): HealthChecks {
  const platform: HealthCheck[] = []
  const tenant: TenantCheck[] = []
  return {
    add: (check) => void platform.push(check),
    addForTenants: (check) => void tenant.push(check),
    platform,
    tenant,
  }
}
