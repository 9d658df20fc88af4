/** Words of the register that more than one resource uses. */
export const categories = [
  'security',
  'ai_governance',
  'compliance',
  'operational',
  'third_party',
  'data_protection',
  'financial',
  'strategic',
] as const
export type Category = (typeof categories)[number]

export const levels = ['inherent', 'residual', 'target'] as const
export type LevelName = (typeof levels)[number]

export const ratings = ['very_low', 'low', 'moderate', 'high', 'very_high'] as const
export type Rating = (typeof ratings)[number]

export const purposes = ['inherent', 'residual', 'target', 'what_if'] as const

/** States of what a job does. */
export const runStatuses = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const
