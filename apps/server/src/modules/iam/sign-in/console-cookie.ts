/**
 * The refresh token of the console, in a cookie. Promises that it is in no answer's body, that no script reaches it, and
 * that a request of another site, which cannot carry the header, never uses it. Tested in console-cookie.test.ts.
 */
import { authErrors } from '../../../kernel/errors/errors.ts'
import { ProblemError } from '../../../kernel/errors/problem.ts'
import { Answer, type RequestInfo } from '../../../kernel/module/route.ts'
import type { Refresh, TokenSet } from '../schemas/auth.ts'
import type { IamServices } from '../services/iam-services.ts'
import { refresh } from './refresh.ts'

const cookieName = '__Host-parapet-session'
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict'

/** Makes a browser forget the token. */
export const noCookie = `${cookieName}=; Max-Age=0; ${attributes}`

/** Whether the console asks; pages of other sites cannot set the header without a preflight, which is refused. */
export const isConsole = (request: Pick<RequestInfo, 'header'>): boolean => request.header('x-parapet-console') === '1'

interface Ask {
  readonly body: Refresh
  readonly request: RequestInfo
}

/** As `refresh`, with the token of the body or else of the cookie. @throws AUTH-002, AUTH-003, AUTH-010, AUTH-011 */
export async function refreshByCookie(services: IamServices, { body, request }: Ask): Promise<Answer<TokenSet>> {
  const token = body.refresh_token ?? cookieOf(request)
  if (token === null) throw authErrors.invalid()
  try {
    const { refresh_token, ...rest } = await refresh(services, { token, request })
    return new Answer({ ...rest, refresh_token: '' }, { headers: { 'set-cookie': setCookie(services, refresh_token) } })
  } catch (problem) {
    if (problem instanceof ProblemError && problem.status === 401) throw problem.withHeaders({ 'set-cookie': noCookie })
    throw problem
  }
}

function cookieOf(request: Pick<RequestInfo, 'header'>): string | null {
  const pairs = (request.header('cookie') ?? '').split(';').map((pair) => pair.trim())
  const value = pairs.find((pair) => pair.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1)
  return value === undefined || value === '' ? null : value
}

/** Lives as long as the token. */
function setCookie({ kernel }: IamServices, token: string): string {
  const { exp } = kernel.auth.verifyRefresh(token)
  const seconds = Math.max(0, exp - Math.floor(kernel.clock.now() / 1000))
  return `${cookieName}=${token}; Max-Age=${seconds}; ${attributes}`
}
