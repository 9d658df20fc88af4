import type { GatewayServices } from '../services/gateway-services.ts'
import { complete, embed } from './calls.ts'
import { providerClearance } from './clearance.ts'
import type { GatewayApi } from './gateway-api.ts'
import { countTokens, scanText } from './looks.ts'
import { trafficOfOthers } from './others.ts'

/** Implementation of the API in `api.ts`. */
export function inProcess(services: GatewayServices): GatewayApi {
  return {
    complete: (asker, request) => complete(services, asker, request),
    embed: (asker, request) => embed(services, asker, request),
    countTokens: (asker, request) => countTokens(services, asker, request),
    scanText: (asker, scan) => scanText(services, asker, scan),
    providerClearance: (asker, where, dataClass) => providerClearance(services, asker, { where, dataClass }),
    trafficOfOthers: (except, seconds) => trafficOfOthers(services.kernel, except, seconds),
  }
}
