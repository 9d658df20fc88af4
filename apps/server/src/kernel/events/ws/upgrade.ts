import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { apiErrors, authErrors } from '../../errors/errors.ts'
import type { ProblemError } from '../../errors/problem.ts'
import { type RawFacts, rawProblem } from '../../http/raw-problem.ts'

export interface UpgradeRules {
  readonly publicUrl: string
  readonly allowedOrigins: readonly string[]
}

export type UpgradeVerdict = { readonly token: string | undefined } | { readonly status: 400 | 403 | 404 }

/** Query members that would put a credential into logs and histories. */
const credentialNames = /token|api[-_]?key|authorization|secret|password|jwt/i

/** Facts from the request's line and headers, before any work is spent on it. */
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

const refusals = {
  400: () =>
    apiErrors.validation({ what: 'A credential does not belong into an address; send it in a header or a message.' }),
  403: () => authErrors.originNotAllowed(),
  404: () => apiErrors.noSuchRoute(),
  429: () => apiErrors.rateLimited({ seconds: 60 }).withHeaders({ 'retry-after': '60' }),
  503: () => apiErrors.unavailable({ what: 'The server is stopping; connect again.' }),
} satisfies Record<number, () => ProblemError>

/** Answers in plain HTTP, as a problem, and closes. */
export function refuseUpgrade(socket: Duplex, why: keyof typeof refusals | ProblemError, facts: RawFacts): void {
  socket.end(rawProblem(typeof why === 'number' ? refusals[why]() : why, facts))
}
