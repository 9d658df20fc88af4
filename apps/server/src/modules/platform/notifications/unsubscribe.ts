/** Ends mails of the categories of one letter by its link alone, without a sign-in. Tested in mails.test.ts. */

import type { Subscription } from '../deliveries/unsubscribe-token.ts'
import type { PlatformServices } from '../services/platform-services.ts'
import { changePreferences, defaults, preferencesOf } from './preferences.ts'

/** Does nothing for somebody who is gone, and nothing more the second time. */
export async function unsubscribe(services: PlatformServices, subscription: Subscription): Promise<void> {
  const { kernel, iam } = services
  const { tenantId, userId, categories: of } = subscription
  await kernel.db.tenant({ tenantId }, async (tx) => {
    const people = await iam.recipients(tx, { userIds: [userId] })
    if (people.length === 0) return
    const before = (await preferencesOf(tx, [userId])).get(userId) ?? defaults
    if (of.every((category) => before.matrix[category]?.email === false)) return
    const matrix = Object.fromEntries(of.map((category) => [category, { ...before.matrix[category], email: false }]))
    const wishes = await changePreferences(services, tx, { userId, patch: { matrix } })
    await tx.audit('platform.inbox.update', {
      target: `platform_inbox:${userId}`,
      before: { wishes: before },
      after: { wishes, by: 'unsubscribe link' },
    })
  })
}
