/**
 * Duties of the processes of an installation. One process has all of them; several on one PostgreSQL divide them, so
 * that each part grows by itself. Tested in roles.test.ts and test/multi/roles.test.ts.
 */
import type { Setting } from './forms.ts'
import { word } from './forms.ts'

export const roles = ['all', 'api', 'worker', 'relay'] as const
export type Role = (typeof roles)[number]

export const roleSettings = {
  role: {
    env: 'PARAPET_ROLE',
    doc: 'Duties of this process: api serves HTTP and WebSockets, worker runs jobs of both lanes and their schedule, relay moves events to the log and to handlers and seals the audit log, all does everything. --role=… does the same; the embedded database has room for all only.',
    read: word(roles, 'all'),
  },
} as const satisfies Readonly<Record<string, Setting<unknown>>>

export interface Duties {
  readonly servesApi: boolean
  readonly runsJobs: boolean
  readonly movesEvents: boolean
}

export function dutiesOf(role: Role): Duties {
  const has = (one: Role): boolean => role === 'all' || role === one
  return { servesApi: has('api'), runsJobs: has('worker'), movesEvents: has('relay') }
}

/** The settings with the role that the command line names. @throws Error for a role that there is not */
export function withRole<E extends Readonly<Record<string, string | undefined>>>(env: E, args: readonly string[]): E {
  const named = args.filter((arg) => arg.startsWith('--role=')).at(-1)
  return named === undefined ? env : { ...env, PARAPET_ROLE: named.slice('--role='.length) }
}

/** @throws Error where the role needs a database that processes can share */
export function checkRole({ role, databaseUrl }: { readonly role: Role; readonly databaseUrl: string | null }): void {
  if (role !== 'all' && databaseUrl === null)
    throw new Error(
      `PARAPET_ROLE=${role} needs PARAPET_DATABASE_URL: the embedded database belongs to one process, which does everything`,
    )
}
