/**
 * Checks of the parts of the program: their dependencies and the way to find out whether they work. Parts fill the two
 * ports; the module that shows health runs the checks. Tested through the health of the administration module.
 */
import type { TenantId } from '../access/actor.ts'
import { definePort } from '../module/ports/port.ts'

/** Result of a check. Throwing means that it failed; the class of the error is reported, never its message. */
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
   * Milliseconds for which a good finding is reused for every reader, for systems that must not be checked too often. A
   * finding that differs from the last ones is confirmed or denied at the next look all the same.
   */
  readonly everyMs?: number
  readonly run: (signal: AbortSignal) => Promise<Finding>
}

/** A check of one tenant's own parts; run when that tenant looks. */
export interface TenantCheck {
  readonly name: string
  readonly timeoutMs?: number
  readonly run: (tenantId: TenantId, signal: AbortSignal) => Promise<Finding>
}

/** Checks of the installation. */
export const healthPort = definePort<HealthCheck>({ name: 'kernel.health', cardinality: 'many' })

/** Checks of each tenant's own part. */
export const tenantHealthPort = definePort<TenantCheck>({ name: 'kernel.tenant_health', cardinality: 'many' })
