/**
 * In-process API of the gateway for other modules, without a detour over the network. Each call counts as the actor's
 * own: the policies, limits, budgets and kill switches of its HTTP calls apply. The calling route decides whether the
 * actor may ask at all.
 */
import { defineApi } from '../../kernel/module/module.ts'
import type { GatewayApi } from './in-process/gateway-api.ts'

/** Errors that can refuse a call, for routes that ask in a caller's name. */
export { callErrors as gatewayCallErrors } from './endpoints/call-errors.ts'
export type {
  Asker,
  Clearance,
  Destination,
  Embedded,
  Embedding,
  GatewayApi,
  ScannedText,
  TextScan,
  TokenCount,
} from './in-process/gateway-api.ts'
export type { Traffic } from './in-process/others.ts'
export type { ChatCompletion, ChatRequest, SecurityFacts, UsageFacts } from './schemas/chat-schema.ts'
export type { Classification } from './words/policy-words.ts'

export const gatewayApi = defineApi<GatewayApi>('gateway')
