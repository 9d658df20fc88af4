/** Recommends from the last use of an access whether it is still needed. Pure. Tested in reviews.test.ts. */

export const unusedDays = 90
const dayMs = 86_400_000

export interface AccessUse {
  /** False for accounts that cannot sign in and keys that have ended. */
  readonly live: boolean
  readonly grantedAt: string
  readonly lastUsedAt: string | null
}

export interface Recommendation {
  readonly recommendation: 'keep' | 'revoke'
  readonly recommended_because: 'not_active' | 'never_used' | 'unused_90_days' | 'recently_granted' | 'recently_used'
}

export function recommend({ live, grantedAt, lastUsedAt }: AccessUse, nowMs: number): Recommendation {
  const isOld = (at: string): boolean => nowMs - Date.parse(at) > unusedDays * dayMs
  const verdict = (
    recommendation: Recommendation['recommendation'],
    because: Recommendation['recommended_because'],
  ) => ({
    recommendation,
    recommended_because: because,
  })
  if (!live) return verdict('revoke', 'not_active')
  if (lastUsedAt !== null)
    return isOld(lastUsedAt) ? verdict('revoke', 'unused_90_days') : verdict('keep', 'recently_used')
  return isOld(grantedAt) ? verdict('revoke', 'never_used') : verdict('keep', 'recently_granted')
}
