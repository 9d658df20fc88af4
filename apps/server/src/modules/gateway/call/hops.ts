/**
 * Number of gateways like this one that a call has passed. The number is sent to providers, and a call that arrives
 * with too high a number is refused, so that gateways that call each other in a loop stop after a few calls. A caller
 * may omit the header, as the first of a chain does; a gateway in the chain never does. Tested in hops.test.ts and
 * ../endpoints/loops.test.ts.
 */
import type { RequestInfo } from '../../../kernel/module/route.ts'

export const hopsHeader = 'parapet-hops'

/** Gateways that a call may have passed before this one: of a team, of a company and one in between. */
export const mostHops = 3

/** 0 without the header. A header without a number, or with several, counts as too many. */
export function hopsIn(headers: Pick<RequestInfo, 'header'>): number {
  const said = headers.header(hopsHeader)
  if (said === undefined) return 0
  return /^\d{1,6}$/.test(said) ? Number(said) : mostHops + 1
}
