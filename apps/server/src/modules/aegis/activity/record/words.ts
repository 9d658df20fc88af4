/** Words of activity events. */
export const eventTypes = [
  'session.start',
  'session.end',
  'llm.call',
  'tool.call',
  'retrieval',
  'memory.write',
  'handoff',
  'egress',
  'error',
] as const
export type EventType = (typeof eventTypes)[number]

export const outcomes = [
  'succeeded',
  'tool_error',
  'protocol_error',
  'timeout',
  'cancelled',
  'denied',
  'unknown',
] as const
export type Outcome = (typeof outcomes)[number]

export const failedOutcomes: ReadonlySet<Outcome> = new Set(['tool_error', 'protocol_error', 'timeout'])

export const sources = ['otel', 'native', 'gateway', 'mcp'] as const
export type Source = (typeof sources)[number]

/** Events that count as a call of the agent. */
export const callTypes: ReadonlySet<EventType> = new Set(['llm.call', 'tool.call', 'retrieval', 'handoff', 'egress'])
