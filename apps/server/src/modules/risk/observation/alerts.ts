/**
 * Attempts that an alert of AEGIS tells of. An alert counts under the first technique of MITRE ATLAS or ATT&CK among its
 * tags. The calls it names count one by one, so that one that was counted when it was blocked is not counted again; an
 * alert that names none counts its hits. The data are another module's, so they are read leniently. Pure. Tested in
 * alerts.test.ts.
 */
import type { LoggedEvent } from '../../../kernel/events/catalogue/logged-event.ts'

export interface Sighting {
  /** Of the call, or of the alert where it names none. */
  readonly source: string
  /** Another id of the same call; calls of one request share it. */
  readonly alias: string | null
  /** So far. */
  readonly hits: number
}

export interface AlertedAttempts {
  readonly technique: string
  readonly sightings: readonly Sighting[]
}

const channels: ReadonlySet<string> = new Set(['aegis.alert.created', 'aegis.alert.updated'])

/** Null for other events, for suppressed alerts and for alerts without a technique. */
export function alertedAttempts({ channel, data }: Pick<LoggedEvent, 'channel' | 'data'>): AlertedAttempts | null {
  const { alert_id: id, status, tags, request_ids: requests, count } = data
  if (!channels.has(channel) || typeof id !== 'string' || status === 'suppressed') return null
  const [technique] = textsOf(tags).flatMap(techniqueOfTag)
  if (technique === undefined) return null
  const named = [...new Set(textsOf(requests))].map((source) => ({ source, alias: null, hits: 1 }))
  const hits = typeof count === 'number' && Number.isSafeInteger(count) && count > 0 ? count : 1
  return { technique, sightings: named.length > 0 ? named : [{ source: `alert:${id}`, alias: null, hits }] }
}

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []

/** `AML.T0051.001`, `T1566`, or as Sigma writes them: `attack.t1566`, `atlas.aml.t0051`. */
function techniqueOfTag(tag: string): string[] {
  const found = /^(?:attack\.|atlas\.)?((?:aml\.)?t\d{4}(?:\.\d{3})?)$/i.exec(tag)
  return found?.[1] === undefined ? [] : [found[1].toUpperCase()]
}
