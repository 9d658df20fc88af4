/**
 * Which people need a second factor, and from when on. Pure decisions over settings, rights and times; used by sign-in,
 * the exchange of refresh tokens and the views of users. Tested in requirement.test.ts.
 */
import { listPermissions, type PermissionSet } from '../../../kernel/access/permissions.ts'
import type { EffectiveSettings } from '../schemas/tenants.ts'

/** Time to enroll, from the sign-in that first finds a factor missing. */
export const graceMs = 7 * 86_400_000
/** An access token lives this long whatever happens, so the last one is given this long before the grace is over. */
const lastTokenMs = 3_600_000

/** Whether a person with these rights needs a second factor here. */
export function isDemanded(settings: Pick<EffectiveSettings, 'mfa_policy'>, permissions: PermissionSet): boolean {
  if (settings.mfa_policy === 'all') return true
  return settings.mfa_policy === 'admins' && administers(permissions)
}

/** Whether these rights administer anything. */
export function administers(permissions: PermissionSet): boolean {
  return listPermissions(permissions).some((permission) => permission.endsWith(':admin'))
}

/** Whether a session showed two factors: here, or to an identity provider that said so. */
export function showedSecondFactor(session: {
  readonly amr: readonly string[]
  readonly created_via: string
}): boolean {
  return session.amr.includes('mfa') || session.created_via === 'passkey'
}

export type Grace =
  | { readonly state: 'not_demanded' }
  | { readonly state: 'over' }
  /** Unix milliseconds: until when to enroll, and how long a session without a factor may be renewed. */
  | { readonly state: 'running'; readonly deadline: number; readonly sessionEnds: number }

/** Grace of a session without a second factor. @param deadline as stored; null before the first such session */
export function graceOf(demanded: boolean, deadline: string | null, now: number): Grace {
  if (!demanded) return { state: 'not_demanded' }
  const ends = deadline === null ? now + graceMs : Date.parse(deadline)
  const sessionEnds = ends - lastTokenMs
  return sessionEnds <= now ? { state: 'over' } : { state: 'running', deadline: ends, sessionEnds }
}
