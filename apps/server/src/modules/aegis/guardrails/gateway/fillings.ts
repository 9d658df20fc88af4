/** The ports of the gateway that guardrails answer. */
import { fill, type PortFilling } from '../../../../kernel/module/ports/port.ts'
import { inputGuardPort, outputGuardPort } from '../../../gateway/ports/call-guards.ts'
import { type GuardParts, guardrailInput, guardrailOutput } from './guards.ts'

interface Services {
  readonly guardrails: GuardParts['guardrails']
  readonly agents: { readonly kernel: GuardParts['kernel'] }
}

const partsOf = ({ guardrails, agents }: Services): GuardParts => ({ guardrails, kernel: agents.kernel })

export const guardrailFillings: readonly PortFilling<Services>[] = [
  fill(inputGuardPort, (services: Services) => guardrailInput(partsOf(services))),
  fill(outputGuardPort, (services: Services) => guardrailOutput(partsOf(services))),
]
