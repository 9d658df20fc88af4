import { readAnswer } from './answer.ts'
import type { Exchange } from './exchange.ts'
import { ProblemError } from './problem.ts'
import { randomKey } from './request.ts'

export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string | null
}

export interface TokenSet {
  readonly access_token: string
  readonly refresh_token: string
  readonly token_type: 'Bearer'
  /** Seconds. */
  readonly expires_in: number
  readonly user: { readonly id: string; readonly email: string; readonly role: string; readonly tenant_id: string }
}

export interface SignIn {
  readonly email: string
  readonly password: string
  /** For people who have an account in more than one tenant. */
  readonly tenantId?: string
  readonly signal?: AbortSignal
}

export interface SessionParts {
  readonly exchange: Exchange
  readonly apiKey: string | null
  readonly tokens: Tokens | null
  /** Told of every change before the new tokens are used, so that a stored refresh token is never a spent one. */
  readonly onTokens: (tokens: Tokens | null) => void | Promise<void>
}

/** Identity of the client: an API key, or a pair of tokens that is renewed when it has run out. */
export class Session {
  readonly #parts: SessionParts
  #tokens: Tokens | null
  #renewing: Promise<boolean> | null = null

  constructor(parts: SessionParts) {
    this.#parts = parts
    this.#tokens = parts.tokens
  }

  /** The credential as the event stream wants it; null before sign-in. */
  get token(): string | null {
    return this.#parts.apiKey ?? this.#tokens?.accessToken ?? null
  }

  get headers(): Readonly<Record<string, string>> {
    if (this.#parts.apiKey !== null) return { 'x-api-key': this.#parts.apiKey }
    return this.#tokens === null ? {} : { authorization: `Bearer ${this.#tokens.accessToken}` }
  }

  async login({ tenantId, signal, ...body }: SignIn): Promise<TokenSet> {
    const { data } = await this.#parts.exchange(
      { method: 'POST', path: '/auth/login', body, ...(signal === undefined ? {} : { signal }) },
      { credential: tenantId === undefined ? {} : { 'x-tenant-id': tenantId }, read: readAnswer<TokenSet> },
    )
    await this.#keep(tokensOf(data))
    return data
  }

  /** Forgets the tokens; ending the session on the server is the caller's. */
  forget(): Promise<void> {
    return this.#keep(null)
  }

  /**
   * Replaces a token that has run out. Callers that come while another renewal runs share it, because a refresh token
   * is good once and a second use ends the whole session. False when there is nothing to renew with.
   */
  renew(stale: string | null): Promise<boolean> {
    if (this.#parts.apiKey !== null || this.#tokens === null) return Promise.resolve(false)
    if (this.#tokens.accessToken !== stale) return Promise.resolve(true)
    if (this.#tokens.refreshToken === null) return Promise.resolve(false)
    this.#renewing ??= this.#exchangeTokens(this.#tokens, this.#tokens.refreshToken).finally(() => {
      this.#renewing = null
    })
    return this.#renewing
  }

  async #exchangeTokens(spent: Tokens, refreshToken: string): Promise<boolean> {
    const next = await this.#ask(refreshToken)
    // A sign-in meanwhile has brought newer tokens than these.
    if (this.#tokens === spent) await this.#keep(next)
    return this.#tokens !== null
  }

  /** Null when the session has ended. */
  async #ask(refreshToken: string): Promise<Tokens | null> {
    // The server gives the same successor to a repeated use within a few seconds: a lost answer may be asked for again.
    const request = { method: 'POST', path: '/auth/refresh', idempotencyKey: randomKey() } as const
    try {
      const body = { refresh_token: refreshToken }
      const { data } = await this.#parts.exchange({ ...request, body }, { credential: {}, read: readAnswer<TokenSet> })
      return tokensOf(data)
    } catch (error) {
      if (error instanceof ProblemError && error.status === 401) return null
      throw error
    }
  }

  async #keep(tokens: Tokens | null): Promise<void> {
    this.#tokens = tokens
    await this.#parts.onTokens(tokens)
  }
}

function tokensOf(set: TokenSet): Tokens {
  return { accessToken: set.access_token, refreshToken: set.refresh_token }
}
