/**
 * What other modules may ask of the gateway without a detour over the network. Each call is one of the actor's own: under
 * the policies, limits, budgets and kill switches that its calls over HTTP are under. Whether the actor may ask at all is
 * for the route that asks to say.
 */
import { defineApi } from '../../kernel/module/module.ts'
import type { GatewayApi } from './in-process/gateway-api.ts'

/** What a call may be refused with, for the routes that ask in a caller's name. */
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
