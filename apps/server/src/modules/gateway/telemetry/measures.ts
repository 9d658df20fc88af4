/** The histograms of the conventions for a call that is over. */

import type { Attributes, Telemetry } from '../../../kernel/observe/otel/port.ts'
import type { WithFacts } from '../call/facts.ts'
import type { CallParts } from '../pipeline/contract/call-parts.ts'
import type { Target } from '../providers/provider.ts'
import { isFromCache } from '../words/cache-status.ts'
import { histograms, hostOf, names, operationName, providerName } from './conventions.ts'
import { endOf, targetOf } from './ended.ts'

export function measureCall(telemetry: Telemetry, state: CallParts, nowMs: number): void {
  const target = targetOf(state)
  // Without a target there was no operation the conventions speak of: they name each by its provider.
  if (target === null) return
  const labels = labelsOf(state, target)
  const { error, status } = endOf(state)
  const seconds = (nowMs - state.facts.startedMs) / 1000
  const ended = error === null ? labels : { ...labels, [names.errorType]: error }
  telemetry.measure(histograms.duration, seconds, ended)
  if (isFromCache(state.cached.status)) return
  const {
    answer: { usage },
    timings: { ttftMs },
  } = state
  if (usage !== null && usage.source === 'upstream') {
    telemetry.measure(histograms.tokens, usage.inputTokens, { ...labels, [names.tokenType]: 'input' })
    if (state.plan.call.embed === null)
      telemetry.measure(histograms.tokens, usage.outputTokens, { ...labels, [names.tokenType]: 'output' })
  }
  if (status !== 'completed' || ttftMs === null) return
  telemetry.measure(histograms.firstToken, ttftMs / 1000, labels)
  const later = (usage?.outputTokens ?? 0) - 1
  if (later > 0) telemetry.measure(histograms.perToken, (seconds - ttftMs / 1000) / later, labels)
}

function labelsOf({ facts }: WithFacts, { provider, model }: Target): Attributes {
  const host = hostOf(provider)
  return {
    [names.operation]: operationName(facts.asked.operation),
    [names.provider]: providerName(provider),
    [names.requestModel]: isDeclared(provider, model) ? model : '_OTHER',
    ...(host === null ? {} : { [names.serverAddress]: host.address, [names.serverPort]: host.port }),
  }
}

/** A model name declared by the tenant. Where a pattern allows any name, callers could create arbitrary series. */
function isDeclared({ models, knownModels }: Target['provider'], model: string): boolean {
  return knownModels.includes(model) || models.includes(model)
}
