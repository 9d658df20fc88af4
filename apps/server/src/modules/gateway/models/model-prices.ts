/** Prices a tenant sets for single models. A price is never changed: the log names the version it used. Tested in model-prices.test.ts. */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { PriceSheet } from '../prices/price.ts'
import { type PriceRow, prices } from '../prices/tables.ts'

/** All prices the tenant ever set for these models. */
export function ownPriceRows(
  tx: Tx,
  of: readonly { readonly providerId: string; readonly name: string }[],
): Promise<readonly PriceRow[]> {
  return tx.query(
    sql<PriceRow>`
      select ${prices.columns} from gateway_price
      where (provider_id, model) in (
        select * from unnest(${of.map(({ providerId }) => providerId)}::uuid[], ${of.map(({ name }) => name)}::text[]))
      order by valid_from, id`,
  )
}

interface NewPrice {
  readonly model: { readonly provider_id: string; readonly name: string }
  /** Null goes back to the shipped one. */
  readonly price: (PriceSheet & { readonly valid_from?: string }) | null
  readonly by: string
}

/** @throws API-001 for a price that begins in the past */
export async function setPrice(
  { clock, random }: Pick<Kernel, 'clock' | 'random'>,
  tx: Tx,
  { model, price, by }: NewPrice,
): Promise<PriceRow> {
  const now = clock.iso()
  const { valid_from: from = now, ...sheet } = price ?? { valid_from: now }
  const validFrom = new Date(from).toISOString()
  if (validFrom < now) throw past()
  const row: PriceRow = {
    id: random.uuid(),
    tenant_id: tx.tenantId,
    provider_id: model.provider_id,
    model: model.name,
    sheet: price === null ? null : (sheet as PriceSheet),
    valid_from: validFrom,
    set_by: by,
    created_at: now,
  }
  await prices.insert(tx, row)
  return row
}

function past() {
  const detail = 'A price cannot begin in the past: calls were charged already.'
  return apiErrors.validation({ what: detail }).at([{ detail, pointer: '/price/valid_from' }])
}
