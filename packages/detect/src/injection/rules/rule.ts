import type { Channel } from '../../base/finding.ts'

/** Stable names: they are part of the API, of `GW-003` and of policies. */
export const families = [
  'role-override',
  'instruction-leak',
  'delimiter-attack',
  'role-play-jailbreak',
  'obfuscation',
  'invisible-text',
  'indirect-instruction',
  'data-exfiltration',
  'tool-abuse',
  'authority-claim',
  'refusal-suppression',
  'payload-splitting',
  'many-shot',
  'context-flooding',
  'language-switch',
  'prompt-template-injection',
  'encoding-overflow',
] as const
export type Family = (typeof families)[number]

interface RuleBase {
  readonly id: string
  readonly family: Family
  /** ISO 639-1, or `any` for rules on marks rather than words. */
  readonly lang: string
  /** 0..1: how sure an unguarded hit is on its own. */
  readonly weight: number
  /** Lowered where the text only mentions, quotes, asks about or negates the phrase. */
  readonly guarded?: boolean
  /** May block on its own; its tests must show no hit on harmless text. */
  readonly certain?: boolean
  /** Only in texts of these channels. */
  readonly channels?: readonly Channel[]
  readonly tests: { readonly hit: readonly string[]; readonly miss: readonly string[] }
}

/**
 * A slot grammar: one word of every slot, near each other. Words are written as normalized text has them (lower case,
 * no accents on Latin letters, `ß` as `ss`). A plain word stands alone (`rule`); `ignor*` may go on to the right,
 * `*regel` to the left, `*anweis*` both ways. Words may hold spaces. Scripts without spaces (Han, kana, Thai, Lao,
 * Khmer, Myanmar) and Hangul never need a boundary.
 */
export interface SlotRule extends RuleBase {
  readonly slots: readonly (readonly string[])[]
  /** `fixed`: slots follow each other as listed (default). `any`: in whatever order. */
  readonly order?: 'fixed' | 'any'
  /** Most characters between the end of one slot's word and the start of the next. Default 40; scripts without spaces 16. */
  readonly gap?: number
}

/** A bounded pattern tried only in a window around a literal trigger. */
export interface PatternRule extends RuleBase {
  /** Literal parts of normalized text. */
  readonly triggers: readonly string[]
  /** Tried on normalized text; bounded repeats only. */
  readonly pattern: RegExp
  /** Characters from half a window before the trigger; at most 256. */
  readonly window: number
}

export type Rule = SlotRule | PatternRule
