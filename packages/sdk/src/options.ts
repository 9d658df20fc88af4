import type { SocketConstructor } from './events/socket.ts'
import type { Fetch } from './http/exchange.ts'
import type { Runtime } from './http/runtime.ts'
import type { Tokens } from './http/session.ts'

export interface ClientOptions {
  /** Where Parapet answers, without `/api/v1`. */
  readonly baseUrl: string
  /** Instead of tokens. */
  readonly apiKey?: string
  readonly accessToken?: string
  readonly refreshToken?: string
  /** Every call acts in this tenant; platform operators only. */
  readonly tenantId?: string
  readonly fetch?: Fetch
  /** Needed where the runtime has none, as on Node 20. */
  readonly WebSocket?: SocketConstructor
  /** Told of new tokens before they are used, and of null when the session has ended. */
  readonly onTokens?: (tokens: Tokens | null) => void | Promise<void>
  /** Attempts after the first; default 3. */
  readonly maxRetries?: number
  readonly runtime?: Runtime
}

/** The address without trailing slashes. @throws TypeError when it is no http address */
export function baseUrlOf({ baseUrl }: Pick<ClientOptions, 'baseUrl'>): string {
  const { protocol } = new URL(baseUrl)
  if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError('baseUrl must begin with http:// or https://')
  return baseUrl.replace(/(?<!\/)\/+$/, '')
}
