import type { Tx } from '../../kernel/db/port.ts'
import { sql } from '../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../kernel/db/table.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { fieldSupport, type ProviderKind } from './providers/provider.ts'
import type { Model, ModelRow } from './schemas/provider.ts'
import { models } from './tables.ts'

export interface NewModels {
  readonly providerId: string
  readonly names: readonly string[]
  readonly source: 'builtin' | 'declared' | 'synced'
}

/** Adds models to the catalogue; those that are there stay as they are. */
export async function addModels(
  kernel: Pick<Kernel, 'clock' | 'random'>,
  tx: Tx,
  { providerId, names, source }: NewModels,
): Promise<void> {
  const at = kernel.clock.iso()
  const rows = [...new Set(names)].map((name) => ({ id: kernel.random.uuid(), name }))
  if (rows.length === 0) return
  await tx.execute(
    sql`
      insert into gateway_model (id, provider_id, name, source, created_at, updated_at)
      select id, ${providerId}::uuid, name, ${source}, ${at}::timestamptz, ${at}::timestamptz
      from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ name }) => name)}::text[]) as new (id, name)
      on conflict (tenant_id, provider_id, name) do nothing`,
  )
}

export interface ModelQuery {
  readonly provider_id?: string
  readonly enabled?: boolean
  readonly q?: string
}

interface ProviderFacts {
  readonly id: string
  readonly name: string
  readonly kind: ProviderKind
  readonly status: 'enabled' | 'disabled'
}

/** The catalogue with what each model can take. */
export async function listModels(
  tx: Tx,
  page: PageRequest,
  { provider_id: provider, enabled, q }: ModelQuery,
): Promise<Page<Model>> {
  const where = sql`
    (${provider ?? null}::uuid is null or provider_id = ${provider ?? null}::uuid)
    and (${q ?? null}::text is null or position(lower(${q ?? null}::text) in lower(name)) > 0)
    and (${enabled ?? null}::boolean is null or exists (
      select from gateway_provider p
      where p.id = gateway_model.provider_id and (p.status = 'enabled') = ${enabled ?? null}::boolean))`
  const found = await models.page(tx, page, where)
  const owners = await tx.query(sql<ProviderFacts>`select id, name, kind, status from gateway_provider`)
  return { ...found, items: found.items.flatMap((row) => resource(row, owners)) }
}

function resource(row: ModelRow, owners: readonly ProviderFacts[]): readonly Model[] {
  const owner = owners.find(({ id }) => id === row.provider_id)
  if (owner === undefined) return []
  const fields = fieldSupport[owner.kind]
  const takes = (field: keyof typeof fields): boolean => fields[field] !== 'unsupported'
  return [
    {
      ...row,
      key: `${owner.name}/${row.name}`,
      provider: owner.name,
      enabled: owner.status === 'enabled',
      capabilities: {
        tools: takes('/tools'),
        vision: takes('/messages/content/image_url'),
        structured_output: takes('/response_format'),
        streaming: true,
      },
      field_support: { ...fields },
      offline: owner.kind === 'echo',
    },
  ]
}
