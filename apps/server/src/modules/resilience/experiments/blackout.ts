/** Blackout windows: times in which no experiment runs. Pure but for the settings. Tested in blackout.test.ts. */
import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { type BlackoutWindow, blackoutWindows, weekdays } from '../declared/settings.ts'

const minuteMs = 60_000
const dayMinutes = 1_440
const days: readonly string[] = weekdays

/** The first window that the time from one moment to another meets; null without one. Unix milliseconds. */
export function blackoutIn(windows: readonly BlackoutWindow[], fromMs: number, toMs: number): BlackoutWindow | null {
  return windows.find((window) => meets(window, fromMs, toMs)) ?? null
}

/** Windows of the platform count beside those of the tenant: a tenant cannot lift them. */
export function blackoutOf(
  { settings, clock }: Pick<Kernel, 'settings' | 'clock'>,
  tenantId: TenantId,
  seconds: number,
): BlackoutWindow | null {
  const windows = [...settings.get(blackoutWindows, null), ...settings.get(blackoutWindows, tenantId)]
  return blackoutIn(windows, clock.now(), clock.now() + seconds * 1000)
}

function meets(window: BlackoutWindow, fromMs: number, toMs: number): boolean {
  if (!('days' in window)) return fromMs < Date.parse(window.ends_at) && toMs >= Date.parse(window.starts_at)
  const local = localMinutes(window.time_zone)
  // Whole minutes are the finest that a window has, and no experiment takes more than an hour.
  for (let at = fromMs; at < toMs; at += minuteMs) if (isInside(window, local(at))) return true
  return isInside(window, local(toMs))
}

interface LocalTime {
  readonly day: number
  readonly minute: number
}

type Weekly = Extract<BlackoutWindow, { days: unknown }>

function isInside({ days, from, to }: Weekly, { day, minute }: LocalTime): boolean {
  const [start, end] = [minuteOf(from), minuteOf(to)]
  const startsOn = (which: number): boolean => days.some((name) => name === weekdays[(which + 7) % 7])
  if (start < end) return startsOn(day) && minute >= start && minute < end
  return (startsOn(day) && minute >= start && minute < dayMinutes) || (startsOn(day - 1) && minute < end)
}

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

function localMinutes(timeZone: string): (ms: number) => LocalTime {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  })
  return (ms) => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, value]))
    const name = (parts.get('weekday') ?? '').toLowerCase()
    const minute = Number(parts.get('hour')) * 60 + Number(parts.get('minute'))
    return { day: days.indexOf(name), minute }
  }
}
