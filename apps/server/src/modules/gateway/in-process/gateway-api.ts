import type { Actor, TenantId } from '../../../kernel/access/actor.ts'
import type { RequestInfo } from '../../../kernel/module/route.ts'
import type { Role } from '../call/call.ts'
import type { ChatCompletion, ChatRequest, SecurityFacts, UsageFacts } from '../schemas/chat-schema.ts'
import type { Classification } from '../words/policy-words.ts'
import type { Traffic } from './others.ts'

/** Caller in whose name a module asks. */
export interface Asker {
  readonly actor: Actor
  /** The request within which the module asks; the call ends with it. */
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
  /** Id of the log row. */
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
  /** Code of the block; null if it is not blocked. */
  readonly error_code: string | null
  /** The text as a model would receive it; null if it is blocked. */
  readonly text: string | null
  readonly security: SecurityFacts
  /** Number of findings per kind of personal data and secrets. */
  readonly entities: Readonly<Record<string, number>>
}

export interface Clearance {
  /** Whether at least one target may receive the data. */
  readonly cleared: boolean
  readonly targets: readonly {
    readonly provider: string
    readonly model: string
    /** Reason in words; null if the data may be sent. */
    readonly refusal: string | null
  }[]
}

export interface GatewayApi {
  /** Asks a model through all steps. @throws ProblemError as `POST /gateway/chat/completions` answers */
  complete(asker: Asker, request: Omit<ChatRequest, 'stream'>): Promise<ChatCompletion>
  /** The same for embeddings. @throws ProblemError */
  embed(asker: Asker, request: Embedding): Promise<Embedded>
  /**
   * Tokens of a call for each target that the caller may ask; no model is called and nothing is logged. @throws GW-001,
   * GW-002, GW-007, GW-010
   */
  countTokens(asker: Asker, request: Omit<ChatRequest, 'stream'>): Promise<readonly TokenCount[]>
  /** Result of the checks of steps 5 to 8 for a text; no model is called and nothing is logged. @throws GW-002 */
  scanText(asker: Asker, scan: TextScan): Promise<ScannedText>
  /** Whether data of the class may be sent there for the actor: by policies, providers, routes and kill switches. @throws GW-001, GW-002, GW-018 */
  providerClearance(asker: Asker, where: Destination, dataClass: Classification): Promise<Clearance>
  /** Summed calls of all tenants but one in the last seconds. Not to be called inside a transaction. */
  trafficOfOthers(except: TenantId, seconds: number): Promise<Traffic>
}
