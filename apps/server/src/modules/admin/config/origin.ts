import type { Actor } from '../../../kernel/access/actor.ts'
import type { RequestInfo } from '../../../kernel/module/route.ts'
import { oneOf } from '../../../kernel/schema/types.ts'

/** How a change-set came: by a program, by a person at a page of this installation, or as what undoes others. */
export const changeOrigins = ['api', 'console', 'rollback'] as const
export const ChangeOrigin = oneOf(...changeOrigins)
export type ChangeOrigin = (typeof changeOrigins)[number]

/**
 * Browsers say of every request whose page asked, and no script can say it for them (Fetch Metadata). A program that
 * lies about it calls itself a person, whose session it needs for that; its author is in the change either way.
 */
export function callOrigin(request: Pick<RequestInfo, 'header'>, { sessionId }: Actor): ChangeOrigin {
  return sessionId !== null && request.header('sec-fetch-site') === 'same-origin' ? 'console' : 'api'
}
