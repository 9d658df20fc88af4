/**
 * The maintenance mode at the gate: 503 for everything but sign-in, health and administration. Sign-in stays open because
 * nobody could end the maintenance otherwise. Promises to count on every instance within a second of the change, also for
 * the sockets of `/ws`, which `full` ends; lets running calls end by themselves. Tested in maintenance.test.ts.
 */
import type { Static } from 'typebox'
import type { Gate, GateCall } from '../../../kernel/access/gate.ts'
import { replacedTopic } from '../../../kernel/backup/replace.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { isAllowedAddress } from '../../../kernel/net/networks.ts'
import { type Maintenance, maintenance } from '../../../kernel/settings/kernel-settings.ts'
import { errors } from '../errors/errors.ts'

const restarting = 'The installation was restored from a backup and is starting anew.'

/** Seconds a client is asked to wait where no end is known. */
const unknownEndSeconds = 60

export function createMaintenanceGate({ settings, clock, live }: Pick<Kernel, 'settings' | 'clock' | 'live'>): Gate {
  // The state in this process's memory is from before the replacement; the process ends shortly.
  let replaced = false
  live.on(replacedTopic, () => {
    replaced = true
  })
  const now = (): Static<typeof Maintenance> | null => {
    const set = settings.get(maintenance, null)
    return set.mode === 'off' || !isWithin(set, clock.now()) ? null : set
  }
  return {
    refuse: (call) => {
      if (replaced) return errors.maintenance({ message: restarting }).withHeaders({ 'retry-after': '5' })
      const set = now()
      if (set === null || isExempt(call)) return null
      if (set.mode === 'read_only' && call.method === 'GET') return null
      if (set.allow_cidrs.length > 0 && isAllowedAddress(call.ip, set.allow_cidrs)) return null
      const seconds =
        set.ends_at === null ? unknownEndSeconds : Math.ceil((Date.parse(set.ends_at) - clock.now()) / 1000)
      return errors
        .maintenance({ message: set.message })
        .withHeaders({ 'retry-after': String(Math.max(1, seconds)) })
        .withMembers({ maintenance: { mode: set.mode, ends_at: set.ends_at } })
    },
    closed: () => replaced || now()?.mode === 'full',
  }
}

function isWithin({ starts_at, ends_at }: Static<typeof Maintenance>, nowMs: number): boolean {
  return (starts_at === null || Date.parse(starts_at) <= nowMs) && (ends_at === null || nowMs < Date.parse(ends_at))
}

/** `/ofrep` is this module's too, but it serves applications and not administrators. */
function isExempt({ module, path }: GateCall): boolean {
  return path.startsWith('/api/v1/auth/') || (module === 'admin' && path.startsWith('/api/v1/admin/'))
}
