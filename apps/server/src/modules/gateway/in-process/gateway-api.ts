import type { Actor, TenantId } from '../../../kernel/access/actor.ts'
import type { RequestInfo } from '../../../kernel/module/route.ts'
import type { Role } from '../call/call.ts'
import type { ChatCompletion, ChatRequest, SecurityFacts, UsageFacts } from '../schemas/chat-schema.ts'
import type { Classification } from '../words/policy-words.ts'
import type { Traffic } from './others.ts'

/** Caller in whose name a module asks. */
export interface Asker {
  readonly actor: Actor
  /** The request that it is asked in; the call ends with it. */
  readonly request: RequestInfo
}

/** Destination of a call, and the policy in addition to those bound to its caller. */
export interface Destination {
  /** Name of a provider. */
  readonly provider?: string
  /** A model, an alias, `provider/model` or a route. */
  readonly model?: string
  /** Id or name; it can only tighten. */
  readonly policy_id?: string
}

export interface Embedding extends Destination {
  readonly inputs: readonly string[]
  readonly dimensions?: number
  readonly metadata?: Readonly<Record<string, string>>
}

export interface Embedded {
  /** Of the log row. */
  readonly id: string
  readonly provider: string
  readonly model: string
  /** In the order of the inputs. */
  readonly vectors: readonly (readonly number[])[]
  readonly usage: UsageFacts | null
}

export interface TokenCount {
  readonly provider: string
  readonly model: string
  readonly tokens: number
  /** `counted` by the model's own tokenizer, or `estimated`. */
  readonly source: 'counted' | 'estimated'
}

export interface TextScan {
  readonly text: string
  /** Author of the text; a user by default. */
  readonly role?: Role
  readonly policy_id?: string
  readonly metadata?: Readonly<Record<string, string>>
}

export interface ScannedText {
  readonly decision: 'allowed' | 'flagged' | 'redacted' | 'blocked'
  /** Why it is blocked. */
  readonly error_code: string | null
  /** As a model would be sent it; null where it is blocked. */
  readonly text: string | null
  readonly security: SecurityFacts
  /** How many of each kind of personal data and secrets were found. */
  readonly entities: Readonly<Record<string, number>>
}

export interface Clearance {
  /** One target at least may be sent the data. */
  readonly cleared: boolean
  readonly targets: readonly {
    readonly provider: string
    readonly model: string
    /** In words; null where it may be sent. */
    readonly refusal: string | null
  }[]
}

export interface GatewayApi {
  /** Asks a model through all steps. @throws ProblemError as `POST /gateway/chat/completions` answers */
  complete(asker: Asker, request: Omit<ChatRequest, 'stream'>): Promise<ChatCompletion>
  /** The same for embeddings. @throws ProblemError */
  embed(asker: Asker, request: Embedding): Promise<Embedded>
  /** Tokens of a call for each target that the caller may ask; nothing is asked or logged. @throws GW-001, GW-002, GW-007, GW-010 */
  countTokens(asker: Asker, request: Omit<ChatRequest, 'stream'>): Promise<readonly TokenCount[]>
  /** Result of the checks of steps 5 to 8 for a text; no model is called and nothing is logged. @throws GW-002 */
  scanText(asker: Asker, scan: TextScan): Promise<ScannedText>
  /** Whether data of the class may be sent there for the actor: by policies, providers, routes and kill switches. @throws GW-001, GW-002, GW-018 */
  providerClearance(asker: Asker, where: Destination, dataClass: Classification): Promise<Clearance>
  /** Calls of all tenants but one in the last seconds, summed. Not to be asked inside a transaction. */
  trafficOfOthers(except: TenantId, seconds: number): Promise<Traffic>
}
