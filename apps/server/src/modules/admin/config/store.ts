/**
 * The stored settings of the whole installation in memory. Promises that a reader never waits, that a change counts here
 * with its commit and on every other instance within a second, and that no revision is passed over: each reading takes
 * the newer revisions. It judges nothing. Tested in config.test.ts.
 */

import type { TenantId } from '../../../kernel/access/actor.ts'
import { platformTenant } from '../../../kernel/access/platform-tenant.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { createLoop } from '../../../kernel/lifecycle/loop.ts'
import type { HeldSetting, SettingStore } from '../services/setting-store.ts'
import { type SettingRow, settingRows } from './tables.ts'

export const settingsTopic = 'admin.settings'

type StoreKernel = Pick<Kernel, 'db' | 'clock' | 'log' | 'live' | 'liveSecrets' | 'tenantKeys' | 'node'>

/** A net under the change feed. */
const lookEveryMs = 10_000

export function createSettingStore(kernel: StoreKernel): SettingStore {
  const layers = new Map<TenantId, Map<string, HeldSetting>>()
  let applied = 0
  let isLoaded = false
  let settle: () => void = () => undefined
  const loaded = new Promise<void>((resolve) => {
    settle = () => {
      isLoaded = true
      resolve()
    }
  })
  let reading: Promise<void> = Promise.resolve()
  const listeners: ((tenantId: TenantId) => void)[] = []

  const take = async (row: SettingRow): Promise<void> => {
    const tenantId = row.tenant_id as TenantId
    const layer = layers.get(tenantId) ?? new Map<string, HeldSetting>()
    layers.set(tenantId, layer)
    layer.set(row.key, {
      value: await readValue(kernel, row),
      isSet: row.is_set,
      digest: row.digest,
      revision: row.revision,
      updatedBy: row.updated_by,
      updatedAt: row.updated_at,
    })
  }
  const read = async (): Promise<void> => {
    const { head, rows } = await newerThan(kernel, applied)
    for (const row of rows) await take(row)
    applied = Math.max(applied, head)
    for (const tenantId of new Set(rows.map((row) => row.tenant_id as TenantId)))
      for (const listener of listeners) listener(tenantId)
  }
  // One after the other: two readings at once could take an older row for the newer one.
  const refresh = (): Promise<void> => {
    reading = reading.then(read, read)
    return reading
  }
  const loop = createLoop({
    name: 'settings',
    clock: kernel.clock,
    log: kernel.log,
    everyMs: lookEveryMs,
    run: async () => {
      await refresh()
      await sayRevision(kernel, applied)
      return false
    },
  })
  const valueIn = (tenantId: TenantId, key: string): unknown => layers.get(tenantId)?.get(key)?.value
  let stopListening = (): void => undefined
  return {
    name: 'settings',
    loaded,
    isLoaded: () => isLoaded,
    revision: () => applied,
    held: (tenantId, key) => layers.get(tenantId)?.get(key),
    revisionOf: (tenantId) => Math.max(0, ...[...(layers.get(tenantId)?.values() ?? [])].map((held) => held.revision)),
    platform: (key) => valueIn(platformTenant, key),
    tenant: valueIn,
    refresh,
    onChange: (listener) => void listeners.push(listener),
    start: async () => {
      stopListening = kernel.live.on(settingsTopic, () => loop.wake())
      await refresh()
      settle()
      loop.start()
    },
    stop: async () => {
      stopListening()
      await loop.stop()
      await sayGone(kernel)
    },
  }
}

/** The head is read first: a change between the two statements is read again next time instead of being missed. */
function newerThan({ db }: StoreKernel, applied: number) {
  return db.system('settings', async (tx) => {
    const head = await tx.first(sql<{ revision: number }>`select revision from admin_config_head where scope = 'all'`)
    const rows = await tx.query(
      sql<SettingRow>`
        select ${settingRows.columns} from admin_setting where revision > ${applied} order by revision`,
    )
    return { head: head?.revision ?? 0, rows }
  })
}

/** Undefined where nothing is set, or where a secret cannot be read: its tenant's keys may be gone. */
async function readValue({ tenantKeys, liveSecrets, log }: StoreKernel, row: SettingRow): Promise<unknown> {
  if (!row.is_set) return undefined
  if (row.sealed === null) return row.value
  try {
    const address = { table: 'admin_setting', column: 'sealed', rowId: row.key }
    const text = await tenantKeys.decrypt(row.tenant_id as TenantId, address, row.sealed)
    const value: unknown = JSON.parse(Buffer.from(text).toString('utf8'))
    if (typeof value === 'string') liveSecrets.add({ owner: null, name: row.key, value })
    return value
  } catch (error) {
    log.error({ err: error, setting: row.key }, 'a secret setting could not be read')
    return undefined
  }
}

/** The embedded database has one process, so there is no other to notify. */
async function sayRevision({ db, node }: StoreKernel, revision: number): Promise<void> {
  if (db.kind === 'pglite') return
  await db.system('revision of settings', (tx) =>
    tx.execute(sql`
      with gone as (delete from admin_config_node where seen_at < clock_timestamp() - interval '1 hour')
      insert into admin_config_node (name, revision, seen_at) values (${node}, ${revision}, clock_timestamp())
      on conflict (name) do update set revision = excluded.revision, seen_at = excluded.seen_at`),
  )
}

async function sayGone({ db, node }: StoreKernel): Promise<void> {
  if (db.kind === 'pglite') return
  await db.system('instance leaves', (tx) => tx.execute(sql`delete from admin_config_node where name = ${node}`))
}
