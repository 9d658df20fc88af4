import type { Driver, Session } from './port.ts'

/** Milliseconds beyond the server's own limit for the way there and back. */
const graceMs = 5_000

/**
 * A session for statements the server itself ends after `timeoutMs`. A server that says nothing for longer than that is
 * gone or behind a broken network, which TCP finds out after a quarter of an hour: the connection is given up, and its
 * callers get DatabaseUnavailable. The embedded database has no network before it and is never given up.
 */
export async function acquireAnswering(driver: Driver, timeoutMs: number, group?: string): Promise<Session> {
  return answering(driver, timeoutMs, await driver.acquire(group))
}

/** The same for a session that was acquired otherwise. */
export function answering({ kind }: Driver, timeoutMs: number, session: Session): Session {
  if (kind === 'pglite') return session
  return {
    ...session,
    run: async (statements) => {
      const limit = setTimeout(() => session.release(true), timeoutMs + graceMs)
      try {
        return await session.run(statements)
      } finally {
        clearTimeout(limit)
      }
    },
  }
}
