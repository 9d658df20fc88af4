/**
 * Whether the installation has its first administrator, and the token that lets one be made. The token is shown once by
 * the process that made it; only its digest is stored. The making itself is bootstrap.ts. Tested in bootstrap.test.ts.
 */
import { timingSafeEqual } from 'node:crypto'
import { platformTenant } from '../../../kernel/access/platform-tenant.ts'
import { sha256 } from '../../../kernel/crypto/digest.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { authErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { SetupState } from '../services/setup-state.ts'

const tokenBytes = 32
const tokenLifeMs = 60 * 60_000
export const setupTopic = 'iam.setup'

interface SetupRow {
  readonly token_sha256: string | null
  readonly token_expires_at: string | null
  readonly completed_at: string | null
}

export function createSetupState(kernel: Kernel): SetupState {
  let complete = false
  let unsubscribe: (() => void) | null = null
  const load = async (): Promise<boolean> => {
    const [row] = await kernel.db.read(
      platformTenant,
      sql<{ done: boolean }>`select completed_at is not null as done from iam_setup where id = 'first_run'`,
    )
    complete = complete || row?.done === true
    return complete
  }
  return {
    name: 'iam.setup',
    start: async () => {
      unsubscribe = kernel.live.on(setupTopic, () => {
        complete = true
      })
      await load()
    },
    stop: async () => unsubscribe?.(),
    isComplete: () => complete,
    load,
    ensure: async () => {
      if (await load()) return { token: null }
      const token = Buffer.from(kernel.random.bytes(tokenBytes)).toString('base64url')
      const expires = new Date(kernel.clock.now() + tokenLifeMs).toISOString()
      const stored = await kernel.db.tenant({ tenantId: platformTenant }, (tx) =>
        tx.execute(sql`
          insert into iam_setup (id, token_sha256, token_expires_at)
          values ('first_run', ${sha256(token)}, ${expires})
          on conflict (id) do update
          set token_sha256 = excluded.token_sha256, token_expires_at = excluded.token_expires_at
          where iam_setup.completed_at is null`),
      )
      complete = stored === 0
      return { token: stored === 0 ? null : token }
    },
  }
}

const another = 'Each start of a server that finds no administrator prints another, and only the last one counts.'

/** @throws AUTH-012 when an administrator exists, AUTH-002 for a wrong token, AUTH-003 for one past its hour */
export async function assertSetupToken(tx: Pick<Tx, 'first'>, token: string, nowMs: number): Promise<void> {
  const row = await openSetup(tx)
  if (row?.token_sha256 == null || !sameDigest(sha256(token), row.token_sha256))
    throw authErrors
      .invalid()
      .at([{ detail: `This is not the newest setup token. ${another}`, pointer: '/setup_token' }])
  if (row.token_expires_at === null || Date.parse(row.token_expires_at) <= nowMs)
    throw authErrors.expired().at([{ detail: `The setup token has expired. ${another}`, pointer: '/setup_token' }])
}

/** @throws AUTH-012 */
export async function openSetup(tx: Pick<Tx, 'first'>): Promise<SetupRow | null> {
  const row = await tx.first(
    sql<SetupRow>`select token_sha256, token_expires_at, completed_at from iam_setup where id = 'first_run'`,
  )
  if (row !== null && row.completed_at !== null) throw authErrors.alreadySetUp()
  return row
}

/** Closes the door behind the first administrator: the token is gone and every instance knows at commit. */
export async function completeSetup(tx: Tx, nowIso: string): Promise<void> {
  await tx.execute(sql`
    insert into iam_setup (id, completed_at)
    values ('first_run', ${nowIso})
    on conflict (id) do update
    set completed_at = excluded.completed_at, token_sha256 = null, token_expires_at = null`)
  await tx.announce(setupTopic, 'complete')
}

function sameDigest(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
