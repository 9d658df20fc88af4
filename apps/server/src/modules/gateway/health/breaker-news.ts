/**
 * One instance's observations about a target, sent to the other instances over the change feed. Delivery time is not
 * guaranteed: every instance may open a breaker on its own evidence, and detects by itself when a target works again.
 * Tested in breaker-news.test.ts.
 */
import Type from 'typebox'
import type { Kernel } from '../../../kernel/kernel.ts'
import { fits } from '../../../kernel/schema/fits.ts'
import type { OpenedBreaker } from '../providers/health.ts'

const topic = 'gateway.breaker'

const News = Type.Object({
  node: Type.String(),
  key_id: Type.Union([Type.String(), Type.Null()]),
  model: Type.String(),
  open_until: Type.Integer(),
  rests: Type.Integer({ minimum: 0, maximum: 100 }),
})

export async function tellOpened({ db, node }: Pick<Kernel, 'db' | 'node'>, news: OpenedBreaker): Promise<void> {
  const { tenantId, providerId, keyId, model, openUntil, rests } = news
  await db.tenant({ tenantId }, (tx) =>
    tx.announce(topic, providerId, { node, key_id: keyId, model, open_until: openUntil, rests }),
  )
}

export function hearOpened({ live, node }: Pick<Kernel, 'live' | 'node'>, adopt: (news: OpenedBreaker) => void): void {
  live.on(topic, (providerId, data, tenantId) => {
    if (!fits(News, data) || data.node === node) return
    const { key_id: keyId, model, open_until: openUntil, rests } = data
    adopt({ tenantId, providerId, keyId, model, openUntil, rests })
  })
}
