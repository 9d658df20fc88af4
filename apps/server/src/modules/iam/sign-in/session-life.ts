import type { PermissionSet } from '../../../kernel/access/permissions.ts'
import { administers } from '../mfa/requirement.ts'
import type { EffectiveSettings } from '../schemas/tenants.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Milliseconds: without a refresh, and at most. */
export interface SessionLife {
  readonly idleMs: number
  readonly absoluteMs: number
  /** How many sessions the person may have at once. */
  readonly most: number
}

/**
 * Upper limits of a session that can administer, whatever the tenant allows (NIST SP 800-63B-4, AAL2). An access token
 * lives for an hour, so a client that refreshes when it is told that its token has ended needs a little more than one.
 */
const administering: Omit<SessionLife, 'most'> = { idleMs: hourMs + 5 * minuteMs, absoluteMs: 24 * hourMs }

/** How long a session may live with these rights: the tenant's limits, or less for administrators. */
export function sessionLife(settings: EffectiveSettings, rights: { readonly permissions: PermissionSet }): SessionLife {
  const allowed = {
    idleMs: settings.session_idle_minutes * minuteMs,
    absoluteMs: settings.session_absolute_hours * hourMs,
    most: settings.session_max_per_user,
  }
  if (!administers(rights.permissions)) return allowed
  return {
    ...allowed,
    idleMs: Math.min(allowed.idleMs, administering.idleMs),
    absoluteMs: Math.min(allowed.absoluteMs, administering.absoluteMs),
  }
}
