/**
 * Abilities that single models lack although their kind of provider has a form for them, as their vendors document.
 * Only facts certain as of a model's publication; a model that is not listed is asked and may refuse by itself.
 * Patterns mean the same to PostgreSQL (`~`). Pure. Tested in models.test.ts.
 */

import type { Ability } from '../../schemas/model.ts'
import type { ProviderKind } from '../../words/provider-kinds.ts'

interface Lack {
  readonly kind: ProviderKind
  readonly model: string
  readonly abilities: readonly Ability[]
}

const dated = '(-[0-9]{4}-[0-9]{2}-[0-9]{2})?$'

const lacks: readonly Lack[] = [
  { kind: 'openai', model: '^gpt-3[.]5-turbo', abilities: ['vision', 'audio_in', 'files', 'reasoning'] },
  { kind: 'openai', model: '^gpt-4(-0314|-0613|-32k)?$', abilities: ['vision', 'audio_in', 'files', 'reasoning'] },
  { kind: 'openai', model: '^gpt-4-turbo', abilities: ['audio_in', 'reasoning'] },
  { kind: 'openai', model: `^gpt-4o(-mini)?${dated}`, abilities: ['audio_in', 'reasoning'] },
  { kind: 'openai', model: `^gpt-4[.]1(-mini|-nano)?${dated}`, abilities: ['audio_in', 'reasoning'] },
  { kind: 'openai', model: `^o3-mini${dated}`, abilities: ['vision', 'audio_in'] },
  { kind: 'anthropic', model: '^claude-3-(5-)?(opus|sonnet|haiku)', abilities: ['reasoning'] },
  { kind: 'cohere', model: '^command-(r|a-03-2025$)', abilities: ['vision', 'reasoning'] },
  {
    kind: 'mistral',
    model: '^(codestral-|ministral-[38]b-2410$|mistral-large-2411$)',
    abilities: ['vision', 'audio_in'],
  },
  { kind: 'aws_bedrock', model: 'amazon[.]nova-micro-v1:0$', abilities: ['vision'] },
]

const compiled = lacks.map((lack) => ({ ...lack, pattern: new RegExp(lack.model) }))

export function isLacking(kind: ProviderKind, model: string, ability: Ability): boolean {
  return compiled.some((lack) => lack.kind === kind && lack.abilities.includes(ability) && lack.pattern.test(model))
}

/** Patterns of the models of a kind that lack the ability. */
export function patternsLacking(kind: ProviderKind, ability: Ability): readonly string[] {
  return lacks.flatMap((lack) => (lack.kind === kind && lack.abilities.includes(ability) ? [lack.model] : []))
}
