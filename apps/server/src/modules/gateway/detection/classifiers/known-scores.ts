/**
 * Earlier classifier scores of texts, so that a conversation is not judged again on each of its turns. A tenant learns
 * nothing about the calls of others, and memory is bounded. Tested in known-scores.test.ts.
 */
import type { TenantId } from '../../../../kernel/access/actor.ts'
import { sha256 } from '../../../../kernel/crypto/digest.ts'

export interface KnownScores {
  get(of: Asked, text: string): number | undefined
  set(of: Asked, text: string, raw: number): void
}

export interface Asked {
  readonly tenantId: TenantId
  readonly classifier: string
}

/** An entry is about 150 bytes. */
const most = 20_000
/** The model behind an address may be replaced. */
const lifeMs = 600_000

export function createKnownScores(now: () => number): KnownScores {
  const scores = new Map<string, { readonly raw: number; readonly until: number }>()
  return {
    get: (of, text) => {
      const known = scores.get(keyOf(of, text))
      return known === undefined || known.until <= now() ? undefined : known.raw
    },
    set: (of, text, raw) => {
      const key = keyOf(of, text)
      // Reinserted at the end of the map, so the first entry is the oldest.
      scores.delete(key)
      scores.set(key, { raw, until: now() + lifeMs })
      const [oldest] = scores.keys()
      if (scores.size > most && oldest !== undefined) scores.delete(oldest)
    },
  }
}

function keyOf({ tenantId, classifier }: Asked, text: string): string {
  return sha256(`${tenantId}\n${classifier}\n${text}`, 'base64')
}
