/**
 * Calls of the API with types by path. The access token is in memory alone; the refresh token is in a cookie that scripts
 * cannot read, so renewing sends an empty body and the header that asks for the cookie.
 */
import { type Answer, type CallOptions, type Client, createClient } from '@parapet/sdk'
import type { Deletes, Gets, Patches, Posts } from './generated/api'
import { watchedSocket } from './socket'

export type { Gets } from './generated/api'

/** `data` of an answer; of a list, one item. */
export type Data<P extends keyof Gets> = Gets[P]['data']
export type Query<P extends keyof Gets> = Gets[P]['query']
export type ListPath = { [P in keyof Gets]: Gets[P]['list'] extends true ? P : never }[keyof Gets]
export type OnePath = { [P in keyof Gets]: Gets[P]['list'] extends true ? never : P }[keyof Gets]

export type Params = Readonly<Record<string, string>>

/** `/risk/register/{risk_id}` with its parameters, each encoded. @throws Error where one is missing */
export function pathOf(path: string, params: Params = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`The address ${path} needs ${name}.`)
    return encodeURIComponent(value)
  })
}

const consoleHeader = { 'x-parapet-console': '1' }

/** Of the client's own renewals the token is left out: the cookie holds it. */
function consoleFetch(input: string, init: RequestInit): Promise<Response> {
  if (!input.endsWith('/auth/refresh')) return fetch(input, init)
  return fetch(input, { ...init, headers: { 'content-type': 'application/json', ...consoleHeader }, body: '{}' })
}

let client: Client | null = null
const tenantId: string | null = null

interface Opened {
  readonly accessToken: string
  /** Told when the session has ended on the server. */
  readonly onEnded: () => void
}

/** Takes the token of a new session; calls carry it from now on. */
export function openClient({ accessToken, onEnded }: Opened): void {
  client = createClient({
    baseUrl: location.origin,
    accessToken,
    refreshToken: 'in-the-cookie',
    fetch: consoleFetch,
    WebSocket: watchedSocket,
    onTokens: (tokens) => {
      if (tokens === null) onEnded()
    },
    ...(tenantId === null ? {} : { tenantId }),
  })
}

export function closeClient(): void {
  client = null
}

/** @throws Error before sign-in */
export function signedIn(): Client {
  if (client === null) throw new Error('Nobody is signed in.')
  return client
}

/** Calls before sign-in: no credential. */
export const stranger = createClient({ baseUrl: location.origin, fetch: consoleFetch, maxRetries: 1 })

/** A call of somebody who is not signed in, with its types. */
export function ask<P extends keyof Posts>(path: P, body: Posts[P]['body']) {
  return stranger.post<Posts[P]['data']>(path, body as object)
}

/** Ends the session on the server and its cookie. */
export async function endSession(): Promise<void> {
  await signedIn().post('/auth/logout', {}, { headers: consoleHeader })
}

/** The first access token of a session: by the cookie, or by the refresh token that signing in gave. @returns null for none */
export async function firstToken(refreshToken?: string): Promise<string | null> {
  const response = await fetch('/api/v1/auth/refresh', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...consoleHeader },
    body: JSON.stringify(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
  })
  if (!response.ok) return null
  const { data }: { readonly data: { readonly access_token: string } } = await response.json()
  return data.access_token
}

export function readOne<P extends OnePath>(
  path: P,
  input: { readonly params?: Params; readonly query?: Query<P>; readonly signal?: AbortSignal } = {},
): Promise<Answer<Data<P>>> {
  return signedIn().get<Data<P>>(pathOf(path, input.params), options(input))
}

export function readPage<P extends ListPath>(
  path: P,
  input: { readonly params?: Params; readonly query?: Query<P>; readonly signal?: AbortSignal } = {},
): Promise<Answer<readonly Data<P>[]>> {
  return signedIn().get<readonly Data<P>[]>(pathOf(path, input.params), options(input))
}

/** Pages of a list that are read at once, at most, with this many items each. */
const mostPages = 10
const pageSize = 100

/** The first thousand items of a list, for parts that need them together. */
export async function readAll<P extends ListPath>(
  path: P,
  input: { readonly params?: Params; readonly query?: Query<P>; readonly signal?: AbortSignal } = {},
): Promise<readonly Data<P>[]> {
  const all: Data<P>[] = []
  let cursor: string | null = null
  for (let page = 0; page < mostPages; page += 1) {
    const query = { limit: pageSize, ...input.query, ...(cursor === null ? {} : { cursor }) } as Query<P>
    const { data, meta }: Answer<readonly Data<P>[]> = await readPage(path, { ...input, query })
    all.push(...data)
    cursor = meta.pagination?.has_more === true ? meta.pagination.cursor : null
    if (cursor === null) break
  }
  return all
}

interface Change<B> {
  readonly params?: Params
  readonly body: B
  readonly ifMatch?: string
}

export function create<P extends keyof Posts>(path: P, { params, body }: Change<Posts[P]['body']>) {
  return signedIn().post<Posts[P]['data']>(pathOf(path, params), body as object)
}

export function change<P extends keyof Patches>(path: P, { params, body, ifMatch }: Change<Patches[P]['body']>) {
  return signedIn().patch<Patches[P]['data']>(pathOf(path, params), body as object, {
    ...(ifMatch === undefined ? {} : { ifMatch }),
  })
}

export function remove<P extends keyof Deletes>(path: P, { params, ifMatch }: Omit<Change<undefined>, 'body'>) {
  return signedIn().delete<Deletes[P]['data']>(pathOf(path, params), ifMatch === undefined ? {} : { ifMatch })
}

function options({ query, signal }: { readonly query?: object; readonly signal?: AbortSignal }): CallOptions {
  return {
    ...(query === undefined ? {} : { query: query as NonNullable<CallOptions['query']> }),
    ...(signal === undefined ? {} : { signal }),
  }
}
