import { keyFamilyIds } from '../../../kernel/access/actor.ts'
import type { WithFacts } from '../call/facts.ts'
import { tokensOf } from '../call/tokens.ts'
import type { WithFindings } from '../findings/call-findings.ts'
import { rulesFound } from '../findings/findings.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import { attachmentsOf } from '../policy/attachments.ts'
import { charactersOf } from '../policy/estimate.ts'
import { isOffline } from '../providers/provider.ts'

/** What rules may look at now. Conditions that look at the answer are asked when it is complete. */
export function variablesOf(
  state: WithFacts & WithPlan & WithFindings,
  now: string,
): Readonly<Record<string, unknown>> {
  const {
    facts,
    plan: { call, targets },
  } = state
  const { actor, asked } = facts
  const characters = charactersOf(call)
  const [target] = targets
  return {
    principal: {
      user_id: actor.userId,
      key_id: actor.keyId,
      key_family: keyFamilyIds(actor),
      agent_id: asked.agentId,
      session_id: actor.sessionId,
      kind: actor.kind,
      role: actor.role,
      roles: actor.roles,
    },
    call: {
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
    },
    security: {
      injection_score: state.findings.injectionScore,
      pii_detected: state.findings.piiDetected,
      patterns: [...state.findings.patterns],
      entities: Object.fromEntries(state.findings.entities),
      rules: rulesFound(state),
    },
    route: {
      provider: target?.provider.name ?? '',
      model: target?.model ?? '',
      targets: targets.length,
      offline: target !== undefined && isOffline(target.provider),
    },
    now,
  }
}
