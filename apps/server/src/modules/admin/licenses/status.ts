import type { License, LicenseClaims } from './schemas.ts'

/** The license every installation has: everything, without limit, without end, without calling anybody. */
export const builtin: LicenseClaims & { readonly id: string } = {
  id: '00000000-0000-7000-8000-000000000001',
  license_id: 'open-source',
  customer: 'Everybody',
  plan: 'open-source',
  seats: null,
  entitlements: { all: true },
  not_before: '2020-01-01T00:00:00.000Z',
  expires_at: null,
  grace_days: 0,
}

const dayMs = 86_400_000

/** How a license stands that its key still vouches for. */
export function standing(
  { expires_at, grace_days }: Pick<LicenseClaims, 'expires_at' | 'grace_days'>,
  nowMs: number,
): Extract<License['status'], 'active' | 'grace' | 'expired'> {
  if (expires_at === null || nowMs < Date.parse(expires_at)) return 'active'
  return nowMs < Date.parse(expires_at) + grace_days * dayMs ? 'grace' : 'expired'
}

/** People a tenant may have; null without a limit, 0 where no new ones are taken. */
export function seatLimit(
  license: Pick<LicenseClaims, 'seats' | 'expires_at' | 'grace_days'> | null,
  nowMs: number,
): number | null {
  if (license === null) return null
  return standing(license, nowMs) === 'expired' ? 0 : license.seats
}
