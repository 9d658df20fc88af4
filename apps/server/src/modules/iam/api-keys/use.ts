import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { networkOf } from '../../../kernel/net/networks.ts'
import type { KeyUse } from '../services/key-use.ts'
import { apiKeyUsedFromNewNetwork } from './events.ts'

const writeEveryMs = 60_000
/** Networks of a key reported per minute, and remembered; the oldest are forgotten. */
const [mostTold, mostKnown] = [20, 200]

interface Use {
  readonly tenantId: TenantId
  requests: number
  ip: string
  at: string
  readonly networks: Set<string>
}

export function createKeyUse(kernel: Kernel): KeyUse {
  let uses = new Map<string, Use>()
  let timer: { stop(): void } | null = null

  const flush = async (): Promise<void> => {
    const taken = [...uses]
    uses = new Map()
    for (const tenantId of new Set(taken.map(([, use]) => use.tenantId))) {
      await write(
        kernel,
        tenantId,
        taken.filter(([, use]) => use.tenantId === tenantId),
      )
    }
  }

  return {
    name: 'iam.key-use',
    used: (key, ip) => {
      const use = uses.get(key.id) ?? { tenantId: key.tenantId, requests: 0, ip, at: '', networks: new Set() }
      const network = networkOf(ip)
      if (network !== null && use.networks.size < mostTold) use.networks.add(network)
      use.requests += 1
      use.ip = ip
      use.at = kernel.clock.iso()
      uses.set(key.id, use)
    },
    flush,
    start: async () => {
      timer = kernel.clock.every(writeEveryMs, () => kernel.background('iam.key-use', flush()))
    },
    stop: async () => {
      timer?.stop()
      await flush()
    },
  }
}

async function write(kernel: Kernel, tenantId: TenantId, entries: readonly (readonly [string, Use])[]): Promise<void> {
  const ids = entries.map(([id]) => id)
  const uses = entries.map(([, use]) => use)
  const column = <T>(pick: (use: Use) => T): T[] => uses.map(pick)
  await kernel.db.tenant({ tenantId }, async (tx) => {
    await tx.execute(sql`
      update iam_api_key k
      set last_used_at = u.at, last_used_ip = u.ip
      from unnest(${ids}::uuid[], ${column((use) => use.at)}::timestamptz[], ${column((use) => use.ip)}::text[]) as u (id, at, ip)
      where k.id = u.id`)
    for (const [id, use] of entries) await noteNetworks(tx, id, use)
    await tx.execute(sql`
      insert into iam_api_key_day (key_id, day, requests)
      select u.id, u.day, u.requests
      from unnest(${ids}::uuid[], ${column((use) => use.at.slice(0, 10))}::text[], ${column((use) => use.requests)}::int[]) as u (id, day, requests)
      where exists (select 1 from iam_api_key k where k.id = u.id)
      on conflict (tenant_id, key_id, day) do update set requests = iam_api_key_day.requests + excluded.requests`)
  })
}

/** Reports networks new to a key that was used before; its first networks are only recorded. */
async function noteNetworks(tx: Tx, id: string, { networks }: Use): Promise<void> {
  const key = await tx.first(sql<{ owner_id: string; used_networks: readonly string[] }>`
    select owner_id, used_networks from iam_api_key where id = ${id} for update`)
  const fresh = [...networks].filter((network) => key?.used_networks.includes(network) === false)
  if (key === null || fresh.length === 0) return
  const known = [...key.used_networks, ...fresh].slice(-mostKnown)
  await tx.execute(sql`update iam_api_key set used_networks = ${known}::text[] where id = ${id}`)
  if (key.used_networks.length === 0) return
  for (const network of fresh)
    await tx.emit(apiKeyUsedFromNewNetwork, `api-key/${id}`, { api_key_id: id, owner_id: key.owner_id, network })
}
