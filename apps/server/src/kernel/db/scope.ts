import type { TenantId } from '../access/actor.ts'
import { type Sql, sql } from './sql.ts'

/** The roles statements run under; the login role itself has no rights on tables but through them. */
export const roles = { app: 'parapet_app', system: 'parapet_system', log: 'parapet_log' } as const

const plain = (text: string): Sql<never> => ({ text, name: '', values: [] })

export const begin = plain('begin')
export const beginReadOnly = plain('begin read only')
export const commit = plain('commit')
export const rollback = plain('rollback')
/** Of this transaction only: its commit does not wait for the disk. */
export const unsynced = plain('set local synchronous_commit to off')

/** Milliseconds a statement may run. Kernel work across tenants (retention, relay) touches more rows. */
export const statementTimeoutMs = { tenant: 10_000, system: 60_000 } as const

/** Everything is local to the transaction, so that commit, rollback or a lost connection takes it all back. */
export function tenantScope(tenantId: TenantId): Sql {
  return scopeOf(roles.app, tenantId, statementTimeoutMs.tenant)
}

export function systemScope(): Sql {
  return scopeOf(roles.system, '', statementTimeoutMs.system)
}

export function logScope(): Sql {
  return scopeOf(roles.log, '', statementTimeoutMs.tenant)
}

/** The same for a whole connection: each of its statements is a transaction of its own and needs no scope around it. */
export const logSession = `set role ${roles.log}; set statement_timeout to ${statementTimeoutMs.tenant}`

function scopeOf(role: string, tenantId: string, timeoutMs: number): Sql {
  return sql`select set_config('role', ${role}, true), set_config('app.tenant_id', ${tenantId}, true),
    set_config('statement_timeout', ${String(timeoutMs)}, true)`
}
