import { type CelCondition, compileCel, createCelReader } from '../../../kernel/cel/program.ts'
import type { CelFields } from '../../../kernel/cel/shape.ts'
import type { Side } from '../words/policy-words.ts'

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

/** The condition, or for its author why it is none. */
export const readCondition = createCelReader((source) => compileCel(source, conditionVariables))

export type { CelCondition }
