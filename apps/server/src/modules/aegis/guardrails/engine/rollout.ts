/**
 * In which sessions a version is enforced. A session is in or out as a whole and stays so while the share grows, because
 * its place comes from a hash of its id and the guardrail's. Pure. Tested in evaluate.test.ts.
 */
import { sha256 } from '../../../../kernel/crypto/digest.ts'

/** Where a session stands on the scale from 0 to 100. */
export function placeOf(guardrailId: string, sessionKey: string): number {
  return (Number.parseInt(sha256(`${guardrailId}\n${sessionKey}`).slice(0, 8), 16) / 0x1_0000_0000) * 100
}

/** @param percent share of sessions, 0 to 100 */
export function isWithin(percent: number, guardrailId: string, sessionKey: string): boolean {
  if (percent >= 100) return true
  return percent > 0 && placeOf(guardrailId, sessionKey) < percent
}
