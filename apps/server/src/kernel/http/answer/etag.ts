import { hash } from 'node:crypto'
import { apiErrors } from '../../errors/errors.ts'

/**
 * `"<row version>-<digest of the body>"`: `If-Match` looks at the version, so a field that changes by itself (a last-seen
 * time) never refuses a write; `If-None-Match` looks at all of it, so it never hides such a change.
 */
export function etagOf(version: number | null, body: string): string {
  const digest = hash('sha256', body, 'base64url').slice(0, 16)
  return `"${version ?? 0}-${digest}"`
}

/** A caller's `If-Match`: the version it saw of the resource it is about to change. */
export interface Precondition {
  /** @throws API-012 when it saw another version */
  expectVersion(version: number): void
}

/** For work without a request: a schedule, an event, a step of a larger change. */
export const anyVersion: Precondition = { expectVersion: () => {} }

/** The precondition in a request's header. Weak tags match nothing (RFC 9110 section 13.1.1). */
export function preconditionOf(ifMatch: string | undefined): Precondition {
  return { expectVersion: (version) => expectVersion(ifMatch, version) }
}

/** @throws API-012 when the header names another version; a missing header asks for nothing. */
export function expectVersion(ifMatch: string | undefined, version: number): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  const versions = ifMatch.split(',').map((tag) => /^"(\d+)-[^"]*"$/.exec(tag.trim())?.[1])
  if (!versions.includes(String(version))) throw apiErrors.preconditionFailed()
}

export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, '')
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag))
}
