import { apiErrors } from '../../../kernel/errors/errors.ts'

/** @throws API-001 */
export function assertInFuture(expiresAt: string | null | undefined, now: string): void {
  if (expiresAt == null || Date.parse(expiresAt) > Date.parse(now)) return
  const detail = 'The end must be in the future.'
  throw apiErrors.validation({ what: detail }).at([{ detail, pointer: '/expires_at' }])
}
