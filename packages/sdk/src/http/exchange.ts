import { ConnectionError, problemFrom } from './problem.ts'
import { addressOf, fetchInput, type Request } from './request.ts'
import { type RetryRules, retrying } from './retry.ts'
import type { Runtime } from './runtime.ts'

export type Fetch = (input: string, init: RequestInit) => Promise<Response>

export interface ExchangeParts {
  /** Without a slash at the end. */
  readonly baseUrl: string
  readonly fetch: Fetch
  readonly runtime: Runtime
  readonly retry: RetryRules
}

/** One call with its retries, whoever makes it. @throws ProblemError, ConnectionError, the signal's reason */
export type Exchange = <T>(request: Request, input: ExchangeInput<T>) => Promise<T>

export interface ExchangeInput<T> {
  /** Headers that say who calls. */
  readonly credential: Readonly<Record<string, string>>
  /** Reads the answer; an answer that breaks off here counts as lost. */
  readonly read: (response: Response) => Promise<T>
}

export function createExchange({ baseUrl, fetch, runtime, retry }: ExchangeParts): Exchange {
  return (request, { credential, read }) =>
    retrying({ rules: retry, runtime }, request, async () => {
      const response = await reach(request, () => fetch(addressOf(baseUrl, request), fetchInput(request, credential)))
      if (response.ok) return read(response)
      throw problemFrom(await bodyOf(response), response, runtime.now())
    })
}

async function reach(request: Request, ask: () => Promise<Response>): Promise<Response> {
  try {
    return await ask()
  } catch (error) {
    request.signal?.throwIfAborted()
    throw new ConnectionError(`${request.method} ${request.path}: the server could not be reached`, error)
  }
}

/** The JSON of a refused answer; whatever else a proxy may have written says nothing more than the status. */
async function bodyOf(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch {
    // Not JSON, or cut off: the status alone is reported.
    return null
  }
}
