import { type ChatCompletions, createChatCompletions } from './chat/completions.ts'
import type { SubscribeOptions, Subscription } from './events/contract.ts'
import type { StreamEvent } from './events/frames.ts'
import { findWebSocket } from './events/socket.ts'
import { OpenSubscription } from './events/subscription.ts'
import { type Answer, readAnswer } from './http/answer.ts'
import { type Caller, createCaller } from './http/caller.ts'
import { createExchange } from './http/exchange.ts'
import { type CallOptions, randomKey } from './http/request.ts'
import { defaultRetry } from './http/retry.ts'
import { systemRuntime } from './http/runtime.ts'
import { Session, type SignIn, type TokenSet } from './http/session.ts'
import { type ListOptions, pages, walk } from './list.ts'
import { baseUrlOf, type ClientOptions } from './options.ts'

/** Paths are those below `/api/v1`. Every call throws ProblemError, ConnectionError or its signal's reason. */
export interface Client {
  /** Signs in; later calls carry the new tokens. */
  login(input: SignIn): Promise<TokenSet>
  /** Ends the session on the server and forgets the tokens. */
  logout(): Promise<void>
  get<T>(path: string, options?: CallOptions): Promise<Answer<T>>
  post<T>(path: string, body?: object, options?: CallOptions): Promise<Answer<T>>
  patch<T>(path: string, body: object, options?: CallOptions): Promise<Answer<T>>
  delete<T>(path: string, options?: CallOptions): Promise<Answer<T>>
  /** Every item of a list, fetched page by page. */
  list<T>(path: string, options?: ListOptions): AsyncIterableIterator<T>
  /** The same, a page at a time. */
  pages<T>(path: string, options?: ListOptions): AsyncIterableIterator<Answer<readonly T[]>>
  readonly chat: { readonly completions: ChatCompletions }
  readonly events: {
    /** Channel names or patterns (`*`, `trust.*`). The handler runs once for each event, in order per channel. */
    subscribe(
      channels: readonly string[],
      handler: (event: StreamEvent) => void,
      options?: SubscribeOptions,
    ): Subscription
  }
}

/** @throws TypeError when `baseUrl` is no http address */
export function createClient(options: ClientOptions): Client {
  const baseUrl = baseUrlOf(options)
  const runtime = options.runtime ?? systemRuntime
  const exchange = createExchange({
    baseUrl,
    // Called through the global, because browsers refuse a `fetch` that was taken off it.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    runtime,
    retry: { ...defaultRetry, most: options.maxRetries ?? defaultRetry.most },
  })
  const session = new Session({ exchange, ...credentialOf(options) })
  const call = createCaller(
    exchange,
    session,
    options.tenantId === undefined ? {} : { 'x-tenant-id': options.tenantId },
  )
  return {
    ...calls(call),
    login: (input) => session.login(input),
    logout: async () => {
      await call({ method: 'POST', path: '/auth/logout', body: {} }, readAnswer)
      await session.forget()
    },
    chat: { completions: createChatCompletions(call, runtime.now) },
    events: {
      subscribe: (channels, handler, subscribeOptions = {}) =>
        new OpenSubscription({
          ...{ baseUrl, session, runtime, channels, handler },
          WebSocket: findWebSocket(options.WebSocket),
          options: subscribeOptions,
        }),
    },
  }
}

function credentialOf({ apiKey, accessToken, refreshToken, onTokens }: ClientOptions) {
  return {
    apiKey: apiKey ?? null,
    tokens: accessToken === undefined ? null : { accessToken, refreshToken: refreshToken ?? null },
    onTokens: onTokens ?? (() => undefined),
  }
}

function calls(call: Caller): Pick<Client, 'get' | 'post' | 'patch' | 'delete' | 'list' | 'pages'> {
  return {
    get: <T>(path: string, options: CallOptions = {}) => call({ ...options, method: 'GET', path }, readAnswer<T>),
    post: <T>(path: string, body: object = {}, options: CallOptions = {}) =>
      call({ idempotencyKey: randomKey(), ...options, method: 'POST', path, body }, readAnswer<T>),
    patch: <T>(path: string, body: object, options: CallOptions = {}) =>
      call({ ...options, method: 'PATCH', path, body }, readAnswer<T>),
    delete: <T>(path: string, options: CallOptions = {}) => call({ ...options, method: 'DELETE', path }, readAnswer<T>),
    list: <T>(path: string, options: ListOptions = {}) => walk<T>(call, path, options),
    pages: <T>(path: string, options: ListOptions = {}) => pages<T>(call, path, options),
  }
}
