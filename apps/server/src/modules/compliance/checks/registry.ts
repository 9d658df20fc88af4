/** Every check, by id, and by the control that it supports. */
import { aegisChecks } from './aegis-checks.ts'
import { agentControlChecks } from './agent-control-checks.ts'
import { dataChecks } from './data-checks.ts'
import type { CheckDefinition } from './define.ts'
import { gatewayChecks } from './gateway-checks.ts'
import { iamChecks } from './iam-checks.ts'
import { platformChecks } from './platform-checks.ts'
import { exposureChecks } from './risk-checks.ts'
import { trafficChecks } from './traffic-checks.ts'

export const checks: readonly CheckDefinition[] = [
  ...[...iamChecks, ...gatewayChecks, ...trafficChecks, ...aegisChecks, ...agentControlChecks],
  ...[...exposureChecks, ...dataChecks, ...platformChecks],
]

const byId = new Map(checks.map((check) => [check.id, check]))

export const checkOf = (id: string): CheckDefinition | null => byId.get(id) ?? null

export interface Support {
  readonly check: CheckDefinition
  readonly part: boolean
}

const supports = new Map<string, Support[]>()
for (const check of checks)
  for (const { framework, ref, part } of check.claims) {
    const key = `${framework} ${ref}`
    supports.set(key, [...(supports.get(key) ?? []), { check, part }])
  }

/** Checks that support a control of a framework. */
export const supportsOf = (framework: string, ref: string): readonly Support[] =>
  supports.get(`${framework} ${ref}`) ?? []

/** Channels after whose events a check runs. */
export const triggerChannels: readonly string[] = [...new Set(checks.flatMap(({ triggers }) => triggers))]

/** Checks that run after an event of a channel. */
export function triggeredBy(channel: string): readonly CheckDefinition[] {
  return checks.filter(({ triggers }) =>
    triggers.some((pattern) =>
      pattern.endsWith('.*') ? channel.startsWith(pattern.slice(0, -1)) : pattern === channel,
    ),
  )
}
