/** The event, as expressions of filters, triggers and steps see it. */
import type { CelFields } from '../../../kernel/cel/shape.ts'
import type { LoggedEvent } from '../../../kernel/events/catalogue/logged-event.ts'

const text = { shape: 'string' } as const

export const eventFields: CelFields = {
  id: text,
  channel: text,
  type: text,
  subject: text,
  time: { shape: 'timestamp' },
  data: { shape: 'dyn' },
}

export const eventVariables: CelFields = { event: { shape: { fields: eventFields } } }

type Seen = Pick<LoggedEvent, 'id' | 'channel' | 'type' | 'subject' | 'time' | 'data'>

export const variablesOf = ({ id, channel, type, subject, time, data }: Seen) => ({
  event: { id, channel, type, subject, time, data },
})
