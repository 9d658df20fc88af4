import type { Exchange } from './exchange.ts'
import { ProblemError } from './problem.ts'
import type { Request } from './request.ts'
import type { Session } from './session.ts'

/** Makes calls as somebody. @throws ProblemError, ConnectionError, the signal's reason */
export type Caller = <T>(request: Request, read: (response: Response) => Promise<T>) => Promise<T>

/** Calls with the session's credential; when that has run out, renews it and calls once more. */
export function createCaller(exchange: Exchange, session: Session, headers: Readonly<Record<string, string>>): Caller {
  return async (request, read) => {
    const used = session.token
    const attempt = () => exchange(request, { credential: { ...headers, ...session.headers }, read })
    try {
      return await attempt()
    } catch (error) {
      if (!hasExpired(error) || !(await session.renew(used))) throw error
      return attempt()
    }
  }
}

function hasExpired(error: unknown): boolean {
  return error instanceof ProblemError && error.status === 401 && error.errorCode === 'AUTH-003'
}
