/** The state of one message on its way. */
import type { Actor, TenantId } from '../../../../kernel/access/actor.ts'
import type { RequestInfo } from '../../../../kernel/module/route.ts'
import type { AgentRow } from '../../agents/schema.ts'
import type { ServerRow } from '../declared/server-schema.ts'
import type { ToolLabel, ToolStatus } from '../declared/words.ts'
import type { ConversationKeys } from '../flow/conversation.ts'
import type { Definition } from '../pins/pin.ts'
import type { UpstreamServer } from '../upstream/server.ts'
import type { Members, RpcId } from '../wire/json-rpc.ts'
import type { MessageFacts } from '../wire/metadata.ts'
import type { Session, SessionHolder } from '../wire/session-token.ts'

export interface PinnedTool {
  readonly id: string
  readonly name: string
  readonly status: ToolStatus
  /** The approved one; null where none is. */
  readonly definition: Definition | null
  readonly pin: string | null
  readonly labels: ReadonlySet<ToolLabel>
}

export interface LiveServer {
  readonly row: ServerRow
  readonly upstream: UpstreamServer
  readonly tools: ReadonlyMap<string, PinnedTool>
  /** The approved tools in the server's own order. */
  readonly approved: readonly PinnedTool[]
  /** The approved instructions; null where there are none or they are withheld. */
  readonly instructions: string | null
}

/** A registered agent that may call a server. */
export interface Caller {
  readonly tenantId: TenantId
  readonly actor: Actor
  readonly agent: AgentRow
  readonly server: LiveServer
  /** All servers of the agent by slug, where the caller came for all of them. */
  readonly joined: ReadonlyMap<string, LiveServer> | null
  /** Whether any conversation of the tenant may hold restricted data. */
  readonly hasRestricted: boolean
  readonly request: RequestInfo
  readonly holder: SessionHolder
}

/** A message of a caller. */
export interface Incoming {
  readonly caller: Caller
  readonly message: Members
  /** Null for a notification and for an answer. */
  readonly id: RpcId | null
  readonly method: string | null
  readonly params: Members
  readonly facts: MessageFacts
  /** Of a legacy client; null before its session is open. */
  readonly session: Session | null
  readonly keys: ConversationKeys
  /** Milliseconds of the monotonic clock. */
  readonly startedMs: number
}

/** A message with an id. */
export interface Asked extends Incoming {
  readonly id: RpcId
  readonly method: string
}
