import { keyFamilyIds } from '../../../kernel/access/actor.ts'
import type { WithFacts } from '../call/facts.ts'
import { tokensOf } from '../call/tokens.ts'
import type { WithFindings } from '../findings/call-findings.ts'
import { rulesFound } from '../findings/findings.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import { attachmentsOf } from '../policy/attachments.ts'
import { charactersOf } from '../policy/estimate.ts'
import { isOffline } from '../providers/provider.ts'

type RuleState = WithFacts & WithPlan & WithFindings
type Variables = Readonly<Record<string, unknown>>

/** The currently known variables of rule conditions. Conditions on the answer are evaluated when it is complete. */
export function variablesOf(state: RuleState, now: string): Variables {
  return {
    principal: principalOf(state.facts),
    call: callOf(state),
    security: securityOf(state),
    route: routeOf(state.plan),
    now,
  }
}

function principalOf({ actor, asked }: WithFacts['facts']): Variables {
  return {
    user_id: actor.userId,
    key_id: actor.keyId,
    key_family: keyFamilyIds(actor),
    agent_id: asked.agentId,
    session_id: actor.sessionId,
    kind: actor.kind,
    role: actor.role,
    roles: actor.roles,
  }
}

function callOf({ facts: { asked }, plan: { call } }: WithFacts & WithPlan): Variables {
  const characters = charactersOf(call)
  return {
    operation: asked.operation,
    dialect: asked.dialect,
    provider: asked.provider,
    model: asked.model,
    stream: asked.stream,
    messages: call.turns.length,
    characters,
    token_estimate: tokensOf(characters),
    max_tokens: call.maxTokens,
    temperature: call.temperature,
    choices: call.choices,
    tools: call.tools.map(({ name }) => name),
    attachments: attachmentsOf(call).map(({ mime }) => mime ?? 'unknown'),
    format: call.format?.type ?? null,
    tags: asked.tags,
    metadata: call.metadata,
  }
}

function securityOf(state: RuleState): Variables {
  const { injectionScore, piiDetected, patterns, entities } = state.findings
  return {
    injection_score: injectionScore,
    pii_detected: piiDetected,
    patterns: [...patterns],
    entities: Object.fromEntries(entities),
    rules: rulesFound(state),
  }
}

function routeOf({ targets }: WithPlan['plan']): Variables {
  const [target] = targets
  return {
    provider: target?.provider.name ?? '',
    model: target?.model ?? '',
    targets: targets.length,
    offline: target !== undefined && isOffline(target.provider),
  }
}
