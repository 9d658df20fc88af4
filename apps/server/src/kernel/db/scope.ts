import type { TenantId } from '../access/actor.ts'
import type { Driver } from './port.ts'
import { type Sql, sql } from './sql.ts'

/** The roles statements run under; the login role itself has no rights on tables but through them. */
export const roles = { app: 'parapet_app', system: 'parapet_system', log: 'parapet_log' } as const

const plain = (text: string): Sql<never> => ({ text, name: '', values: [] })

export const begin = plain('begin')
export const beginReadOnly = plain('begin read only')
/** All statements see the database as the first one did. */
export const beginSnapshot = plain('begin isolation level repeatable read read only')
export const commit = plain('commit')
export const rollback = plain('rollback')
/** Of this transaction only: its commit does not wait for the disk. */
export const unsynced = plain('set local synchronous_commit to off')

/**
 * Milliseconds a statement may run on a server. Kernel work across tenants (retention, relay) touches more rows. The embedded
 * database hears no alarm while it works, so that a limit there ends no statement in its middle: on a busy machine or a slow
 * disk it could only refuse what has been done.
 */
export const statementTimeoutMs = { tenant: 10_000, system: 60_000 } as const

/** Everything is local to the transaction, so that commit, rollback or a lost connection takes it all back. */
export function tenantScope(tenantId: TenantId, kind: Kind = 'pg'): Sql {
  return scopeOf(roles.app, tenantId, limitOn(kind, statementTimeoutMs.tenant))
}

export function systemScope(kind: Kind = 'pg'): Sql {
  return scopeOf(roles.system, '', limitOn(kind, statementTimeoutMs.system))
}

export function logScope(kind: Kind = 'pg'): Sql {
  return scopeOf(roles.log, '', limitOn(kind, statementTimeoutMs.tenant))
}

type Kind = Driver['kind']

/** 0 is no limit. */
const limitOn = (kind: Kind, ms: number): number => (kind === 'pglite' ? 0 : ms)

/** The same for a whole connection: each of its statements is a transaction of its own and needs no scope around it. */
export const logSession = `set role ${roles.log}; set statement_timeout to ${statementTimeoutMs.tenant}`

function scopeOf(role: string, tenantId: string, timeoutMs: number): Sql {
  return sql`select set_config('role', ${role}, true), set_config('app.tenant_id', ${tenantId}, true),
    set_config('statement_timeout', ${String(timeoutMs)}, true)`
}
