/**
 * The rules a policy states as conditions: what they may ask about, and what a call answers. Every variable here is part
 * of the API of policies. Tested in policy-content.test.ts.
 */

import { keyFamilyIds } from '../../../kernel/access/actor.ts'
import { tokensOf } from '../call/tokens.ts'
import { type CelCondition, type CompiledCel, compileCel } from '../cel/program.ts'
import type { CelFields } from '../cel/shape.ts'
import type { CallState } from '../pipeline/call-state.ts'
import { rulesFound } from '../pipeline/findings.ts'
import { isOffline } from '../providers/provider.ts'
import { attachmentsOf } from './attachments.ts'
import { charactersOf } from './estimate.ts'
import type { Side } from './sections/words.ts'

/** A condition ready to be asked. */
export interface ConditionCheck {
  readonly id: string
  readonly on: readonly Side[]
  readonly action: 'flag' | 'block'
  readonly message: string | null
  /** @throws CelFault when it cannot be decided */
  holds(variables: Readonly<Record<string, unknown>>): boolean
}

const text = { shape: 'string' } as const
const words = { shape: { list: 'string' } } as const
const count = { shape: 'int' } as const
const optional = true

export const conditionVariables: CelFields = {
  principal: {
    shape: {
      fields: {
        user_id: text,
        key_id: { ...text, optional },
        key_family: words,
        agent_id: { ...text, optional },
        session_id: { ...text, optional },
        kind: text,
        role: text,
        roles: words,
      },
    },
  },
  call: {
    shape: {
      fields: {
        operation: text,
        dialect: text,
        provider: { ...text, optional },
        model: { ...text, optional },
        stream: { shape: 'bool' },
        messages: count,
        characters: count,
        token_estimate: count,
        max_tokens: { ...count, optional },
        temperature: { shape: 'double', optional },
        choices: count,
        tools: words,
        attachments: words,
        format: { ...text, optional },
        tags: words,
        metadata: { shape: { map: 'string' } },
      },
    },
  },
  security: {
    shape: {
      fields: {
        injection_score: { shape: 'double' },
        pii_detected: { shape: 'bool' },
        patterns: words,
        entities: { shape: { map: 'int' } },
        rules: words,
      },
    },
  },
  route: { shape: { fields: { provider: text, model: text, targets: count, offline: { shape: 'bool' } } } },
  now: { shape: 'timestamp' },
}

/** What rules may look at now. Conditions that look at the answer are asked when it is complete. */
export function variablesOf(state: CallState, now: string): Readonly<Record<string, unknown>> {
  const { facts, call, targets } = state
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
      injection_score: state.injectionScore,
      pii_detected: state.piiDetected,
      patterns: [...state.patterns],
      entities: Object.fromEntries(state.entities),
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

interface ConditionSource {
  readonly id: string
  readonly when: string
  readonly on: readonly Side[]
  readonly action: 'flag' | 'block'
  readonly message?: string
}

export function conditionOf({ id, when, on, action, message }: ConditionSource): ConditionCheck {
  const compiled = readCondition(when)
  const holds = (variables: Readonly<Record<string, unknown>>): boolean => {
    // A document is only stored with conditions that compile; one that no longer does fails its step, not the whole load.
    if (!compiled.ok) throw new Error(`The condition of rule ${id} cannot be used. ${compiled.reason}`)
    return compiled.condition.holds(variables)
  }
  return { id, on, action, message: message ?? null, holds }
}

/** Conditions held at once; one is a few kilobytes. */
const mostHeld = 1_000
const held = new Map<string, CompiledCel>()

/** The condition, or for its author why it is none. */
export function readCondition(source: string): CompiledCel {
  const known = held.get(source)
  if (known !== undefined) return known
  const compiled = compileCel(source, conditionVariables)
  if (held.size >= mostHeld) held.clear()
  held.set(source, compiled)
  return compiled
}

export type { CelCondition }
