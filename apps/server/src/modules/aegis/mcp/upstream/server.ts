/** An MCP server as calls reach it. */
import type { Egress } from '../../../../kernel/egress/fetch.ts'
import type { AuthFacts, ServerRow } from '../declared/server-schema.ts'

export interface UpstreamServer {
  readonly id: string
  readonly url: string
  readonly internal: boolean
  readonly timeouts: ServerRow['timeouts']
  readonly auth: AuthFacts
  /** The opened secret; null where there is none. */
  readonly secret: string | null
}

export interface UpstreamParts {
  readonly egress: Pick<Egress, 'fetch'>
  readonly clock: { now(): number }
}
