/**
 * Which channels a connection may have: names and patterns against the public catalogue and the caller's permissions.
 * A channel that does not exist and one that may not be read are told apart, because the catalogue is no secret.
 * Tested in channels.test.ts.
 */

import type { Actor } from '../../access/actor.ts'
import { holds } from '../../access/permissions.ts'
import { apiErrors, authErrors } from '../../errors/errors.ts'
import type { ProblemError } from '../../errors/problem.ts'
import { jobProgress, moduleOfKind } from '../../jobs/progress.ts'
import { type EventDefinition, fixedChannels } from '../catalogue/catalogue.ts'
import type { LoggedEvent } from '../catalogue/logged-event.ts'
import { isPattern, matches } from '../catalogue/pattern.ts'
import { kernelEvents } from './kernel-events.ts'

export type Catalogue = ReadonlyMap<string, EventDefinition>

export function catalogueOf(events: readonly EventDefinition[]): Catalogue {
  return new Map([...fixedChannels, ...kernelEvents, ...events].map((event) => [event.channel, event]))
}

export interface Selection {
  /** Concrete names that may be read. */
  readonly channels: readonly string[]
  /** Patterns that stay in force for channels and rights that come later. */
  readonly patterns: readonly string[]
  readonly rejected: readonly { readonly channel: string; readonly error_code: string; readonly detail: string }[]
}

export function canRead(actor: Pick<Actor, 'permissions'>, event: Pick<EventDefinition, 'readers'>): boolean {
  return event.readers.some((module) => holds(actor.permissions, `${module}:read`))
}

/** Sorts requested channels into given and refused ones, with the reason. */
export function selectChannels(catalogue: Catalogue, actor: Actor, asked: readonly string[]): Selection {
  const channels = new Set<string>()
  const patterns: string[] = []
  const rejected: { channel: string; error_code: string; detail: string }[] = []
  for (const name of new Set(asked)) {
    const found = [...catalogue.values()].filter((event) => matches(name, event.channel))
    const readable = found.filter((event) => canRead(actor, event))
    if (name === '*' || readable.length > 0) {
      if (isPattern(name)) patterns.push(name)
      for (const event of readable) channels.add(event.channel)
    } else {
      const problem = refusal(name, found)
      rejected.push({ channel: name, error_code: problem.code, detail: problem.message })
    }
  }
  return { channels: [...channels], patterns, rejected }
}

function refusal(name: string, found: readonly EventDefinition[]): ProblemError {
  const [first] = found
  if (first === undefined) return apiErrors.unknownChannel({ channel: name })
  return authErrors.forbidden({ permission: first.readers.map((module) => `${module}:read`).join(' or ') })
}

/**
 * One receiver's view of an event that is addressed to persons: nothing when it is for others, else only their own
 * id among the receivers; and of the progress of a job, for readers of its module. Events without `recipient_user_ids` are
 * for everybody who may read the channel.
 */
export function personalView(event: LoggedEvent, actor: Pick<Actor, 'userId' | 'permissions'>): LoggedEvent | null {
  if (event.channel === jobProgress.channel) {
    const owner = moduleOfKind(event.data.kind)
    return owner !== null && holds(actor.permissions, `${owner}:read`) ? event : null
  }
  const recipients = event.data.recipient_user_ids
  if (!Array.isArray(recipients)) return event
  if (!recipients.includes(actor.userId)) return null
  return { ...event, data: { ...event.data, recipient_user_ids: [actor.userId] } }
}
