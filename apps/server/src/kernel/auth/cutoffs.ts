/**
 * Revocations in memory. One rule for all scopes: a credential is dead if any record covers it. Sessions and keys
 * are covered by their id; users, tenants and the platform by an ordered cut-off, "every session up to this one", which
 * session ids allow because they are UUID v7. Merging two records keeps the later cut-off, so order of arrival does not
 * matter. Tested in cutoffs.test.ts.
 */
import type { RevocationScope } from './port.ts'

export interface Revocation {
  readonly scope: RevocationScope
  /** Session, user, tenant or key id; of the platform scope nothing is read. */
  readonly subject: string
  /** Sessions up to and with this one are ended. */
  readonly cutoffSid: string
  /** Unix milliseconds. */
  readonly at: number
}

/** Properties by which a credential can be revoked. */
export interface Revocable {
  readonly sub: string
  /** Home tenant. */
  readonly tid: string
  readonly sid: string | null
  readonly keyId: string | null
}

export interface Cutoffs {
  add(revocation: Revocation): void
  covers(credential: Revocable): boolean
  /** Forgets records made before this moment: every token signed before them has ended by itself. */
  forgetBefore(at: number): void
  readonly size: number
}

interface Cutoff {
  cutoffSid: string
  at: number
}

export function createCutoffs(): Cutoffs {
  const scopes: Readonly<Record<RevocationScope, Map<string, Cutoff>>> = {
    session: new Map(),
    key: new Map(),
    user: new Map(),
    tenant: new Map(),
    platform: new Map(),
  }
  const maps = Object.values(scopes)
  return {
    get size() {
      return maps.reduce((total, map) => total + map.size, 0)
    },
    add: ({ scope, subject, cutoffSid, at }) => {
      const map = scopes[scope]
      const key = scope === 'platform' ? '' : subject
      const known = map.get(key)
      // Taken out first, so that the map stays ordered by the last addition.
      map.delete(key)
      map.set(key, known === undefined ? { cutoffSid, at } : later(known, { cutoffSid, at }))
    },
    covers: ({ sub, tid, sid, keyId }) => {
      if (keyId !== null && scopes.key.has(keyId)) return true
      if (sid === null) return false
      return (
        scopes.session.has(sid) ||
        reaches(scopes.user.get(sub), sid) ||
        reaches(scopes.tenant.get(tid), sid) ||
        reaches(scopes.platform.get(''), sid)
      )
    },
    forgetBefore: (at) => {
      for (const map of maps) {
        for (const [key, record] of map) if (record.at < at) map.delete(key)
      }
    },
  }
}

function later(a: Cutoff, b: Cutoff): Cutoff {
  return { cutoffSid: a.cutoffSid > b.cutoffSid ? a.cutoffSid : b.cutoffSid, at: Math.max(a.at, b.at) }
}

function reaches(record: Cutoff | undefined, sid: string): boolean {
  return record !== undefined && sid <= record.cutoffSid
}
