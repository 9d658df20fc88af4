import Type, { type Static } from 'typebox'
import { oneOf, strictObject, Timestamp } from '../../../kernel/schema/types.ts'
import { defineSetting } from '../../../kernel/settings/define.ts'

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

const name = Type.String({ minLength: 1, maxLength: 100 })
const Clock = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', maxLength: 5, description: 'HH:MM' })

const Once = strictObject({ name, starts_at: Timestamp, ends_at: Timestamp })
const Weekly = strictObject({
  name,
  days: Type.Array(oneOf(...weekdays), { minItems: 1, maxItems: 7, uniqueItems: true }),
  from: Clock,
  to: { ...Clock, description: 'HH:MM; before `from` it is that of the next day' },
  time_zone: Type.String({ minLength: 1, maxLength: 64, description: 'IANA name' }),
})
export const BlackoutWindow = Type.Union([Once, Weekly])
export type BlackoutWindow = Static<typeof BlackoutWindow>

export const isTimeZone = (timeZone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone }).format(0) !== ''
  } catch {
    return false
  }
}

export const blackoutWindows = defineSetting({
  key: 'resilience.blackout_windows',
  schema: Type.Array(BlackoutWindow, { maxItems: 50 }),
  default: [],
  scope: 'both',
  description:
    'Times in which no chaos experiment runs: one period (`starts_at`, `ends_at`) or weekdays with a time of day (`days`, `from`, `to`, `time_zone`). Windows of the platform count beside those of the tenant.',
  check: (windows) => {
    for (const window of windows) {
      if ('days' in window) {
        if (!isTimeZone(window.time_zone)) return `The window "${window.name}" names no time zone of IANA.`
        if (window.from === window.to) return `The window "${window.name}" is empty.`
      } else if (Date.parse(window.starts_at) >= Date.parse(window.ends_at))
        return `The window "${window.name}" ends before it starts.`
    }
    return null
  },
})
