import { expect, test } from 'vitest'
import type { TenantId } from '../../../kernel/access/actor.ts'
import type { ChangeHandler } from '../../../kernel/live/feed.ts'
import type { OpenedBreaker } from '../providers/health.ts'
import { hearOpened } from './breaker-news.ts'

test('news of another instance are believed, of this one and of another form are not', () => {
  const handlers: ChangeHandler[] = []
  const heard: OpenedBreaker[] = []
  const live = {
    on: (_topic: string, handler: ChangeHandler) => {
      handlers.push(handler)
      return () => {}
    },
    lastContactMs: () => 0,
    start: async () => {},
    stop: async () => {},
  }
  hearOpened({ live, node: 'here' }, (news) => heard.push(news))
  const tenant = 't' as TenantId
  const data = { node: 'there', key_id: null, model: 'm', open_until: 5, rests: 1 }
  for (const told of [data, { ...data, node: 'here' }, { ...data, open_until: 'soon' }, {}])
    for (const handler of handlers) handler('p', told, tenant)
  expect(heard).toEqual([{ tenantId: tenant, providerId: 'p', keyId: null, model: 'm', openUntil: 5, rests: 1 }])
})
