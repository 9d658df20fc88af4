import type { IncomingMessage } from 'node:http'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'

export interface UpgradeRules {
  readonly publicUrl: string
  readonly allowedOrigins: readonly string[]
}

export type UpgradeVerdict = { readonly token: string | undefined } | { readonly status: 400 | 403 | 404 }

/** Query members that would put a credential into logs and histories. */
const credentialNames = /token|api[-_]?key|authorization|secret|password|jwt/i

/** What the request's line and headers say before anything is spent on it. */
export function judgeUpgrade(request: Pick<IncomingMessage, 'url' | 'headers'>, rules: UpgradeRules): UpgradeVerdict {
  const target = request.url ?? ''
  if (!URL.canParse(target, 'http://localhost')) return { status: 400 }
  const url = new URL(target, 'http://localhost')
  if (url.pathname !== '/ws') return { status: 404 }
  if ([...url.searchParams.keys()].some((name) => credentialNames.test(name))) return { status: 400 }
  const { origin } = request.headers
  if (origin !== undefined && !isAllowedOrigin(origin, rules)) return { status: 403 }
  return { token: headerCredential(request.headers) }
}

function isAllowedOrigin(origin: string, rules: UpgradeRules): boolean {
  return origin === new URL(rules.publicUrl).origin || rules.allowedOrigins.includes(origin)
}

function headerCredential(headers: IncomingMessage['headers']): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  if (bearer !== undefined) return bearer
  const key = headers['x-api-key']
  return typeof key === 'string' ? key : undefined
}

/** Answers in plain HTTP and closes. */
export function refuseUpgrade(socket: Duplex, status: 400 | 403 | 404 | 429 | 503): void {
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
